import type { Output } from '../call/types.ts';
import type { Fields } from './use-draft.ts';

export type Source = Output<'list_broadcast_variables'>['variables'][number];
export type Variables = NonNullable<Fields['variables']>;
export type Definition = Variables[string];
export type Coverage = Output<'plan_broadcast'>['variables'][number];

/** What this broadcast may read. */
export const findSources = (
  all: readonly Source[],
  { channel, audience }: Pick<Fields, 'channel' | 'audience'>,
): readonly Source[] =>
  all.filter(
    ({ channels, requires_webinar }) =>
      channels.includes(channel ?? 'email') && (!requires_webinar || audience === 'webinar'),
  );

export const groupWords: Readonly<Record<Source['group'], string>> = {
  person: 'Person',
  custom_properties: 'Custom properties',
  webinar: 'Webinar',
};

/** A placeholder for a source: the one that reads it already, else a new name made of the source's. */
export function nameFor(source: Source, variables: Variables, prefix: 'var' | 'link_var'): string {
  const there = Object.entries(variables).find(
    ([name, { variable }]) => variable === source.variable && name.startsWith(`${prefix}_`),
  );
  if (there !== undefined) return there[0];
  const base = `${prefix}_${source.name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 56)}`;
  let name = base;
  for (let turn = 2; variables[name] !== undefined; turn++) name = `${base}_${turn}`;
  return name;
}

export const labelOf = (name: string, variables: Variables, sources: readonly Source[]): string => {
  const path = variables[name]?.variable;
  return sources.find(({ variable }) => variable === path)?.label ?? name.replace(/^(link_)?var_/, '');
};

/** Somebody would read nothing there. */
export const hasGap = (name: string, variables: Variables, coverage: readonly Coverage[]): boolean => {
  const told = coverage.find((one) => one.name === name);
  return (
    variables[name] === undefined ||
    (told !== undefined && told.with_fallback > 0 && !variables[name].fallback)
  );
};
