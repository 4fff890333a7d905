import type { Work } from '../../database/work.ts';
import { newId } from '../../kernel/ids.ts';
import { countConfigsAlone, mostConfigs } from './create-property-config.ts';
import type { LeftOut } from './left-out.ts';
import { findConfigs, toSnakeCase, type PropertyType } from './property-config.ts';
import { convertValue, type PropertyScalar } from './property-value.ts';
import { parseKeys, type PropertyChanges } from './request-changes.ts';

type Sent = Readonly<Record<string, PropertyScalar>>;

export interface Taken {
  readonly changes: PropertyChanges;
  readonly leftOut: readonly LeftOut[];
}

const longestKey = 100;
const longestName = 200;

/**
 * Reads custom properties as forms send them, and never refuses the call for them. A key without a config gets one, of
 * the type of its value; unusable values are left out and listed.
 */
export async function takeProperties(work: Work, sent: Sent): Promise<Taken> {
  const { keys, leftOut } = parseKeys(sent);
  if (keys.length === 0) return { changes: {}, leftOut };
  let configs = await findConfigs(work, keys);
  if (configs.size < keys.length) {
    await addConfigs(
      work,
      sent,
      keys.filter((key) => !configs.has(key)),
    );
    configs = await findConfigs(work, keys);
  }
  const changes: Record<string, PropertyScalar> = {};
  for (const key of keys) {
    const config = configs.get(key);
    if (config === undefined) {
      leftOut.push({ key, reason: canBeKey(toSnakeCase(key)) ? 'too_many_configs' : 'no_key' });
      continue;
    }
    const value = convertValue(sent[key], config.type as PropertyType);
    if (value === undefined) leftOut.push({ key, reason: 'not_convertible' });
    else changes[config.id] = value;
  }
  return { changes, leftOut };
}

const canBeKey = (key: string): boolean => key.length > 0 && key.length <= longestKey;

/** As many as an organization has room for, in the order sent. */
async function addConfigs(work: Work, sent: Sent, keys: readonly string[]): Promise<void> {
  const named = new Map(keys.map((key) => [toSnakeCase(key), key]));
  const wanted = [...named].filter(([key]) => canBeKey(key));
  if (wanted.length === 0) return;
  const room = Math.max(0, mostConfigs - (await countConfigsAlone(work)));
  // Configs that another call has added meanwhile need no room.
  const there = await findConfigs(
    work,
    wanted.map(([key]) => key),
  );
  const added = wanted.filter(([key]) => !there.has(key)).slice(0, room);
  if (added.length === 0) return;
  await work.db
    .insertInto('property_configs')
    .values(
      added.map(([key, name]) => ({
        org_id: work.org,
        id: newId(work.now),
        key,
        name: name.slice(0, longestName),
        type: typeof sent[name],
        created_at: work.now,
      })),
    )
    .execute();
}
