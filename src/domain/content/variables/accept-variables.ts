import type { Work } from '../../../database/work.ts';
import type { FieldError } from '../../../kernel/failure.ts';
import {
  valueMark,
  type Definition,
  type SentDefinition,
  type SentVariables,
  type Variables,
} from './definition.ts';
import { Findings, withPlace } from '../body/findings.ts';
import { judgeLink, judgeText, maybeLink, type Wrong } from './judge-definition.ts';
import type { Channel, Source } from './source.ts';
import { builtInSource, propertyKey, readSources, type Sources } from './sources.ts';
import { isForLinks } from '../body/template-syntax.ts';

export interface Setting {
  /** The names that the body uses. */
  readonly placeholders: Iterable<string>;
  /** The body as it was written, to say where a placeholder stands. */
  readonly source: string;
  readonly channel: Channel;
  /** Whether the broadcast is tied to a webinar. */
  readonly webinar: boolean;
  readonly isLink: (url: string) => boolean;
  /** For a call with many bodies, which reads them once. */
  readonly sources?: () => Promise<Sources>;
}

const mostUndefined = 20;

/** The definitions that a body uses, as they are stored; or what is wrong with them. Those it does not use are dropped. */
export async function acceptVariables(
  work: Work,
  sent: SentVariables,
  { placeholders, source, channel, webinar, isLink, sources: read = () => readSources(work) }: Setting,
): Promise<{ variables: Variables; errors: FieldError[] }> {
  const names = [...new Set(placeholders)];
  if (names.length === 0) return { variables: {}, errors: [] };
  const sources = await read();
  const usable = [...sources.values()].filter(
    (source) => source.channels.includes(channel) && (webinar || !source.requires_webinar),
  );
  const variables: Variables = {};
  const errors: FieldError[] = [];
  for (const name of names) {
    const definition = sent[name];
    if (definition === undefined) continue;
    const source = sources.get(definition.variable);
    variables[name] = withDefaults(definition, source, name);
    const wrong = judge(name, variables[name], source, { webinar, isLink });
    errors.push(...wrong.map(({ at, ...rest }) => ({ pointer: `/variables/${name}/${at}`, ...rest })));
  }
  return { variables, errors: [...undefinedOf(names, sent, source), ...nameChoices(errors, usable)] };
}

/**
 * The names of stored definitions that would not be accepted now: the custom property is gone, or came back as another
 * type, or the broadcast has lost its webinar.
 */
export async function missingVariables(
  work: Work,
  variables: Variables,
  { webinar }: { readonly webinar: boolean },
): Promise<string[]> {
  const stored = Object.entries(variables);
  const asksProperties = stored.some(([, { variable }]) => propertyKey(variable) !== undefined);
  const sources = asksProperties ? await readSources(work) : undefined;
  return stored.flatMap(([name, definition]) => {
    const source =
      sources === undefined ? builtInSource(definition.variable) : sources.get(definition.variable);
    return judge(name, definition, source, { webinar, isLink: () => true }).length > 0 ? [name] : [];
  });
}

function judge(
  name: string,
  definition: Definition,
  source: Source | undefined,
  { webinar, isLink }: Pick<Setting, 'webinar' | 'isLink'>,
): Wrong[] {
  if (source === undefined) return [notListed(name, definition.variable)];
  if (source.requires_webinar && !webinar) {
    const detail = `${source.label} is there only for the audience of a webinar. Choose another path.`;
    return [{ at: 'variable', code: 'webinar_required', detail }];
  }
  return isForLinks(name) ? judgeLink(definition, source, isLink) : judgeText(definition, source);
}

function notListed(name: string, variable: string): Wrong {
  const advice = 'Take one from list_broadcast_variables, exactly as listed.';
  if (isForLinks(name) && !/^\{\{[^{}]*\}\}$/.test(variable)) {
    return { at: 'variable', code: 'not_one_path', detail: `A link reads exactly one path. ${advice}` };
  }
  return { at: 'variable', code: 'unknown_variable', detail: `There is no such path to read. ${advice}` };
}

function withDefaults(sent: SentDefinition, source: Source | undefined, name: string): Definition {
  const isName = source?.from === 'person' && source.isName === true && !isForLinks(name);
  return {
    variable: sent.variable,
    fallback: sent.fallback ?? '',
    template: sent.template ?? valueMark,
    date_format: sent.date_format ?? null,
    text_format: sent.text_format === undefined && isName ? 'name' : (sent.text_format ?? null),
  };
}

const undefinedOf = (names: readonly string[], sent: SentVariables, source: string): FieldError[] =>
  names
    .filter((name) => sent[name] === undefined)
    .slice(0, mostUndefined)
    .map((name) => ({
      pointer: '/variables',
      code: 'undefined_placeholder',
      detail: placed(
        source,
        name,
        `The body has {{${name}}}. Define ${name} here, or take it out of the body.`,
      ),
    }));

/** A placeholder written with entities is not found in the source; then the error comes without a place. */
function placed(source: string, name: string, detail: string): string {
  const findings = new Findings(source);
  const offset = source.indexOf(`{{${name}}}`);
  if (offset !== -1) findings.add(offset, 'undefined_placeholder', detail);
  return findings.list().map(withPlace)[0] ?? detail;
}

/** Lists the paths to choose from once for each code: paths are hundreds, and a hundred definitions may be wrong. */
function nameChoices(errors: readonly FieldError[], usable: readonly Source[]): FieldError[] {
  const choices: Record<string, (source: Source) => boolean> = {
    unknown_variable: () => true,
    webinar_required: () => true,
    not_one_path: maybeLink,
    not_a_link: maybeLink,
  };
  const told = new Set<string>();
  return errors.map((error) => {
    const fits = choices[error.code];
    if (fits === undefined || told.has(error.code)) return error;
    told.add(error.code);
    return { ...error, allowed: usable.filter(fits).map(({ path }) => path) };
  });
}
