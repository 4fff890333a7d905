import { sql } from 'kysely';
import { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import { newId } from '../../../kernel/ids.ts';
import { findConfigs } from '../../properties/property-config.ts';
import { mostTextInValue, toColumns, type PropertyScalar } from '../../properties/property-value.ts';
import {
  asksNothing,
  asWritten,
  needsNoWebinar,
  nobodyWaits,
  noCounts,
  noSenders,
  onlySteps,
  sendsNothing,
  takesNoTime,
} from '../shape/empty-parts.ts';
import { Next, NodeId, required } from '../shape/node-fields.ts';
import type { NodeRun, Traveller } from '../shape/node-run.ts';
import { checkProblems, type Judged, type NodeProblem, type NodeType } from '../shape/node-type.ts';

const schema = z.strictObject({
  id: NodeId,
  type: z.literal('set_property'),
  key: z.string().min(1).max(100),
  value: z.union([z.string().max(mostTextInValue), z.number(), z.boolean()]),
  next: Next,
});

interface Setting {
  readonly key: string;
  readonly value: PropertyScalar;
}

interface Accepted {
  /** The config's own key; the one sent may be spelled differently. */
  readonly key: string;
}

interface LiveSetProperty extends Setting {
  readonly type: 'set_property';
  readonly next: string;
}

const run: NodeRun<LiveSetProperty, 'set'> = {
  type: 'set_property',
  deeds: { set: 'The property was set.' },
  ask: asksNothing,
  enter: async ({ next }, travellers) =>
    travellers.map(({ at }) => ({ does: 'go_on', to: next, at, did: 'set' })),
  leave: nobodyWaits,
  sets: ({ key }) => [key],
  write: setForAll,
  send: sendsNothing,
  simulate: onlySteps,
  counts: noCounts,
};

export const setProperty: NodeType<typeof schema, Accepted, LiveSetProperty, 'set'> = {
  type: 'set_property',
  label: 'Set a property',
  fields: {
    key: { label: 'Property', kind: 'property' },
    value: { label: 'Value', kind: 'value' },
    next: { label: 'Then', kind: 'node' },
  },
  schema,
  edges: [{ field: 'next', needed: true }],
  leastMinutes: takesNoTime,
  webinarPointer: needsNoWebinar,
  senders: noSenders,
  normalize: asWritten,
  accept,
  problems: checkProblems(({ key, value }, accepted) => ({ key: accepted.key ?? key, value }), findProblems),
  compile: ({ type, key, value, next }, accepted) => ({
    type,
    key: accepted.key ?? key,
    value,
    next: required(next),
  }),
  run,
};

/** Checks as set_person_property does: the key has a config, and the value is exactly of its type. */
async function accept(work: Work, { key, value }: Setting): Promise<Judged<Accepted>> {
  const config = (await findConfigs(work, [key])).get(key);
  if (config === undefined) {
    const detail = 'No property config has this key. list_property_configs shows those there are.';
    return { errors: [{ pointer: '/key', code: 'unknown_property', detail }] };
  }
  if (typeof value === config.type) return { accepted: { key: config.key }, errors: [] };
  const detail = `${config.key} takes a ${config.type}, and nothing that merely looks like one.`;
  return { errors: [{ pointer: '/value', code: 'invalid_type', detail, allowed: [config.type] }] };
}

/** Finds configs that were deleted, or got another type, since the draft was written. */
async function findProblems(work: Work, settings: readonly Setting[]): Promise<NodeProblem[][]> {
  const configs = await findConfigs(
    work,
    settings.map(({ key }) => key),
  );
  return settings.map(({ key, value }) => {
    const config = configs.get(key);
    if (config === undefined || config.key !== key) {
      const message = `The property ${key} is not there any more. Choose another, or take the node out.`;
      return [{ pointer: '/key', code: 'unknown_property', message }];
    }
    if (typeof value === config.type) return [];
    return [{ pointer: '/value', code: 'invalid_type', message: `${key} takes a ${config.type} now.` }];
  });
}

/** Sets one property of many people, who are held. Skips a property that is gone or has another type now. */
async function setForAll(
  work: Work,
  { key, value }: Setting,
  travellers: readonly Traveller[],
): Promise<void> {
  const config = (await findConfigs(work, [key])).get(key);
  if (config === undefined || typeof value !== config.type) return;
  const { text_value, number_value, boolean_value } = toColumns(value);
  const ids = [...new Set(travellers.map(({ person_id }) => person_id))].toSorted();
  await sql`
    insert into property_values
      (org_id, person_id, config_id, text_value, number_value, boolean_value, changed_by, created_at)
    select ${work.org}, id, ${config.id}, ${text_value}, ${number_value}, ${boolean_value}, ${newId(work.now)}, ${work.now}
    from unnest(${ids}::uuid[]) id
    on conflict (org_id, person_id, config_id) do update set
      text_value = excluded.text_value,
      number_value = excluded.number_value,
      boolean_value = excluded.boolean_value,
      changed_by = excluded.changed_by`.execute(work.db);
}
