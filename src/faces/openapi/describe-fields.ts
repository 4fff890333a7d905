import { broadcastWords } from './words/broadcasts.ts';
import { accessWords } from './words/access.ts';
import { commonWords } from './words/common.ts';
import { importWords } from './words/imports.ts';
import { peopleWords } from './words/people.ts';
import { webinarWords } from './words/webinars.ts';

type Json = Record<string, unknown>;

/**
 * Descriptions of fields for readers of the document, not for models: tools show only the descriptions in their
 * schemas, which are few for a reason.
 */
const words: Readonly<Record<string, string>> = {
  ...commonWords,
  ...accessWords,
  ...peopleWords,
  ...importWords,
  ...broadcastWords,
  ...webinarWords,
};

/** The words for a field of an operation, a shared shape or another field. */
export const wordsFor = (owner: string, name: string): string | undefined =>
  words[`${owner}.${name}`] ?? words[name];

/** Gives every field of a schema that has no description one. */
export function describeFields(schema: unknown, owner: string): void {
  if (schema === null || typeof schema !== 'object') return;
  if (Array.isArray(schema)) return schema.forEach((one) => describeFields(one, owner));
  const { properties = {}, items, anyOf, oneOf, allOf, additionalProperties } = schema as Json;
  for (const [name, field] of Object.entries(properties as Record<string, Json>)) {
    const found = wordsFor(owner, name);
    if (field['description'] === undefined && found !== undefined) field['description'] = found;
    describeFields(field, name);
  }
  for (const inner of [items, anyOf, oneOf, allOf, additionalProperties]) describeFields(inner, owner);
}
