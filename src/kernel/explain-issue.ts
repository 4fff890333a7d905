import { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

/**
 * What is wrong with a field and what would be right, in words. Zod asks it for every issue of a schema that does not say
 * it itself.
 */
export function explainIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${must(issue)} be ${kindOf(issue)}.${meaningOf(issue)}`;
    case 'invalid_value':
      return `${must(issue)} be ${issue.values.length === 1 ? '' : 'one of: '}${issue.values.join(', ')}.`;
    case 'invalid_format':
      return `Must be ${formats[issue.format] ?? `of the form ${issue.pattern ?? issue.format}`}.`;
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum), issue.inclusive === true);
    case 'too_big':
      return tooBig(issue.origin, Number(issue.maximum), issue.inclusive === true);
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}.`;
    case 'unrecognized_keys':
      return `Fields there are: ${fieldsOf(issue.inst)}.`;
    case 'invalid_union':
      return explainUnion(issue);
    case 'invalid_key':
    case 'invalid_element':
      return `One of its keys is not right: ${issue.issues[0]?.message ?? 'see the description'}`;
    default:
      return 'Is not what this field takes.';
  }
}

const must = ({ input }: Issue): string => (input === undefined ? 'Is missing. It must' : 'Must');

const types: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number, like 10',
  int: 'a whole number, like 10',
  boolean: 'true or false',
  array: 'a list, like ["a", "b"]',
  object: 'an object, like {"name": "value"}',
  record: 'an object, like {"name": "value"}',
  null: 'null',
  nonoptional: 'given',
};

function kindOf({ expected, inst }: Extract<Issue, { code: 'invalid_type' }>): string {
  const { format = '', shape } = definitionOf(inst);
  if (shape !== undefined) return `an object with the fields ${Object.keys(shape).join(', ')}`;
  return formats[format] ?? types[expected] ?? expected;
}

/** What the field is for, where its schema says so. */
function meaningOf({ inst }: Issue): string {
  const words = inst === undefined ? undefined : z.globalRegistry.get(inst as z.ZodType)?.description;
  return words === undefined ? '' : ` ${words}`;
}

const anId = 'an id that another answer gave, like 018f3a5e-7c1d-7b2a-9c3e-5f6a7b8c9d0e';
const aMoment = 'a time with its offset, like 2026-03-14T15:00:00+01:00 or 2026-03-14T14:00:00Z';
const formats: Readonly<Record<string, string>> = {
  guid: anId,
  uuid: anId,
  datetime: aMoment,
  'date-time': aMoment,
  date: 'a date, like 2026-03-14',
  email: 'an email address, like ada@example.com',
  url: 'a whole web address, like https://example.com/page',
};

function tooSmall(origin: string, least: number, inclusive: boolean): string {
  if (origin === 'string')
    return least === 1 ? 'Must not be empty.' : `Must have at least ${least} characters.`;
  if (origin === 'array')
    return least === 1 ? 'Must not be an empty list.' : `Must have at least ${least} entries.`;
  return `Must be ${inclusive ? '' : 'more than '}${least}${inclusive ? ' or more' : ''}.`;
}

function tooBig(origin: string, most: number, inclusive: boolean): string {
  if (origin === 'string') return `Must have at most ${most} characters.`;
  if (origin === 'array') return `Must have at most ${most} entries.`;
  return `Must be ${inclusive ? '' : 'less than '}${most}${inclusive ? ' or less' : ''}.`;
}

const fieldsOf = (schema: unknown): string =>
  Object.keys(definitionOf(schema).shape ?? {}).join(', ') || 'none';

interface Definition {
  readonly format?: string;
  readonly shape?: Readonly<Record<string, unknown>>;
}

const definitionOf = (schema: unknown): Definition =>
  (schema as { _zod?: { def: Definition } } | undefined)?._zod?.def ?? {};

/** Which kinds fit, or what is wrong with the one that fits best. */
function explainUnion(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  if (issue.discriminator !== undefined) {
    const { options = [] } = issue as { options?: readonly unknown[] };
    return `Its ${issue.discriminator} must be one of: ${options.join(', ')}.`;
  }
  const firsts = issue.errors.map(([first]) => first);
  if (firsts.every((first) => first?.path.length === 0))
    return firsts
      .map((first) => first!.message)
      .map((words, at) => (at === 0 ? words : words.replace(/^Must be /, '')))
      .map((words) => words.replace(/\.$/, ''))
      .join(', or ')
      .concat('.');
  const nearest = issue.errors.toSorted((one, other) => one.length - other.length)[0]![0]!;
  return `${nearest.path.join('/')}: ${nearest.message}`;
}
