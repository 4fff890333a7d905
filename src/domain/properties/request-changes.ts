import { addToOutbox } from '../../database/outbox.ts';
import type { Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { escapePointer } from '../../kernel/hostile-text.ts';
import { newId, type PersonId } from '../../kernel/ids.ts';
import type { LeftOut } from './left-out.ts';
import { findConfigs, isReservedKey, toSnakeCase, type PropertyType } from './property-config.ts';
import { convertValue, mostTextInValue, type PropertyScalar } from './property-value.ts';

/** Values by config id, ready to be applied. */
export type PropertyChanges = Readonly<Record<string, PropertyScalar>>;

/** The keys that may have configs; those of the service are left out. */
export function parseKeys(sent: Readonly<Record<string, unknown>>): { keys: string[]; leftOut: LeftOut[] } {
  const isReserved = (key: string) => isReservedKey(key) || isReservedKey(toSnakeCase(key));
  const all = Object.keys(sent);
  return {
    keys: all.filter((key) => !isReserved(key)),
    leftOut: all.filter(isReserved).map((key) => ({ key, reason: 'reserved' })),
  };
}

/**
 * Reads custom properties as callers write them. A key without a config refuses the call; reserved keys, and values
 * that the config's type cannot hold, are left out and listed.
 */
export async function readChanges(
  work: Work,
  sent: Readonly<Record<string, unknown>>,
): Promise<{ changes: PropertyChanges; leftOut: LeftOut[] }> {
  const { keys, leftOut: reserved } = parseKeys(sent);
  const leftOut: LeftOut[] = [];
  const configs = await findConfigs(work, keys);
  const missing = keys.filter((key) => !configs.has(key));
  if (missing.length > 0) {
    throw new Failure('property_not_configured', `No property config exists for: ${missing.join(', ')}.`, {
      errors: missing.map((key) => ({
        pointer: `/custom_properties/${escapePointer(key)}`,
        code: 'property_not_configured',
        detail: `Create a property config with the key ${toSnakeCase(key)} first.`,
      })),
    });
  }
  const changes: Record<string, PropertyScalar> = {};
  for (const [key, config] of configs) {
    const value = convertValue(sent[key], config.type as PropertyType);
    if (typeof value === 'string' && value.length > mostTextInValue) {
      throw new Failure(
        'invalid_request',
        `The value of ${key} is longer than ${mostTextInValue} characters.`,
      );
    }
    if (value === undefined) leftOut.push({ key, reason: 'not_convertible' });
    else changes[config.id] = value;
  }
  return { changes, leftOut: [...leftOut, ...reserved] };
}

/** Stores the values as a due row, and sends the engine a message for it. */
export async function requestChanges(work: Work, person: PersonId, changes: PropertyChanges): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  const id = newId(work.now);
  await work.db
    .insertInto('property_changes')
    .values({
      org_id: work.org,
      id,
      person_id: person,
      changes: JSON.stringify(changes),
      requested_at: work.now,
      request_id: work.caller.requestId,
    })
    .execute();
  await addToOutbox(work, 'PersonProperties', { change_id: id, request_id: work.caller.requestId });
  Object.assign(work.touched, { person_id: person, property_change_id: id });
}
