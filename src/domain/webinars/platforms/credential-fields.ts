import { z } from 'zod';
import type { CredentialField } from './platform.ts';
import { everyPlatform, platformOf, type PlatformName, type platforms } from './registry.ts';

/** A credential field of any platform. */
type FieldName = { [Name in PlatformName]: keyof (typeof platforms)[Name]['credentials'] }[PlatformName];

interface KnownField {
  readonly name: FieldName;
  readonly owners: readonly (CredentialField & { readonly label: string })[];
}

/** The fields of all platforms; fields with the same name are one. */
const known: readonly KnownField[] = Object.entries(
  Object.groupBy(
    everyPlatform.flatMap(([, { label, credentials }]) =>
      Object.entries(credentials).map(([name, field]) => ({ ...field, name, label })),
    ),
    ({ name }) => name,
  ),
).map(([name, owners = []]) => ({ name: name as FieldName, owners }));

const isCommon = ({ owners }: KnownField): boolean => owners.length === everyPlatform.length;
const isSecret = ({ owners }: KnownField): boolean => owners.some(({ secret }) => secret);

/** As platforms print them: visible characters without spaces. */
const credential = ({ owners }: KnownField) =>
  z
    .string()
    .trim()
    .min(1)
    .max(Math.max(...owners.map(({ longest = 200 }) => longest)))
    .regex(/^[\x21-\x7e]+$/, 'Takes visible ASCII characters.');

function wordsOf(field: KnownField): string {
  const sentences = [
    ...new Set(field.owners.map(({ words }) => words)),
    isSecret(field) ? 'Kept sealed, and never shown again.' : '',
    isCommon(field) ? '' : `For ${field.owners.map(({ label }) => label).join(' and ')} only.`,
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

/** The fields as input: required where every platform has them. */
export const credentialInputs = Object.fromEntries(
  known.map((field) => {
    const schema = credential(field);
    return [field.name, (isCommon(field) ? schema : schema.optional()).describe(wordsOf(field))];
  }),
) as Readonly<Record<FieldName, z.ZodOptional<z.ZodString>>>;

/** The fields as output: all but the secrets. */
export const shownFields = Object.fromEntries(
  known
    .filter((field) => !isSecret(field))
    .map((field) => [field.name, isCommon(field) ? z.string() : z.string().optional()]),
) as Readonly<Record<'account_id', z.ZodString>>;

type Sent = Readonly<Partial<Record<FieldName, string | undefined>>>;

/** What is wrong with the fields sent for a platform: a required one is missing, or one does not belong to it. */
export function misfits(
  name: PlatformName,
  sent: Sent,
): { readonly field: FieldName; readonly why: string }[] {
  const { label, credentials } = platformOf(name);
  return known.flatMap(({ name: field }) => {
    const isWanted = field in credentials;
    if (isWanted === (sent[field] !== undefined)) return [];
    const fields = Object.keys(credentials).join(', ');
    const why = isWanted
      ? `Is missing. ${label} needs it.`
      : `${label} has no such field. It takes: ${fields}.`;
    return [{ field, why }];
  });
}

/** Splits what was sent into what may be shown and what is sealed. */
export function partCredentials(name: PlatformName, sent: Sent): { shown: Fields; secrets: Fields } {
  const given = Object.entries(platformOf(name).credentials).map(([field, { secret }]) => ({
    field,
    secret,
    value: sent[field as FieldName] ?? '',
  }));
  const those = (isSealed: boolean): Fields =>
    Object.fromEntries(
      given.filter(({ secret }) => secret === isSealed).map(({ field, value }) => [field, value]),
    );
  return { shown: those(false), secrets: those(true) };
}

export type Fields = Record<string, string>;
