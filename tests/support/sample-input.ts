import { z } from 'zod';
import type { AnyOperation } from '../../src/kernel/operation.ts';

/** What generated text says, wherever a field takes any text. furnish() gives things this name, so that it is found. */
export const sampleText = 'a_sample';

/** Tried in this order on every plain field; the first that its schema takes is its sample. */
const candidates: readonly unknown[] = [
  sampleText,
  'sample@example.com',
  '2030-01-01T00:00:00Z',
  'https://example.com/',
  '#aabbcc',
  '018f0000-0000-7000-8000-000000000000',
  '+15550000000',
  'Europe/Paris',
  1,
  true,
  null,
];

/** A condition has rules that its schema does not tell. furnish() makes a property with this key. */
const conditions = {
  few: [{ property: 'first_name', op: 'eq', value: sampleText }],
  all: [
    { property: 'first_name', op: 'eq', value: sampleText },
    { custom_property_key: sampleText, op: 'in', values: [sampleText] },
  ],
};

type Fields = Readonly<Record<string, unknown>>;

const variables = {
  var_a: { variable: '{{context.root_context.org_user.first_name}}', fallback: sampleText },
};

/** A draft has fields that go with one audience or one channel only: it has every field of these two. */
const emailToSegment: Fields = {
  audience: 'segment',
  html: '<p>{{var_a}}</p>',
  variables,
  webinar_id: undefined,
  webinar_audience: undefined,
  webinar_offset_minutes: undefined,
  webinar_anchor: undefined,
  message_body: undefined,
};
const textToWebinar: Fields = {
  channel: 'sms',
  audience: 'webinar',
  message_body: '{{var_a}}',
  variables,
  segment_id: undefined,
  subject: undefined,
  preview_text: undefined,
  html: undefined,
  sender_id: undefined,
};
/** Without an id of its own: the second call with one answers what the first made, and looks at nothing else. */
const unnamed: Fields = { broadcast_id: undefined };

const oneEvent: Fields = {
  events: undefined,
  user_id: undefined,
  email: undefined,
  phone: undefined,
  anonymous_id: undefined,
  occurred_at: '2026-01-01T00:00:00Z', // not far in the future
};
const severalEvents: Fields = {
  ...oneEvent,
  event_name: undefined,
  person_id: undefined,
  custom_properties: undefined,
  occurred_at: undefined,
  event_id: undefined,
  events: [{ event_name: sampleText, person_id: '018f0000-0000-7000-8000-000000000000' }],
};

/** A workflow's graph is a choice of nodes that must fit together. furnish() makes a property with this key. */
const graph = {
  trigger: { type: 'webinar_registration', next: 'wait' },
  nodes: [
    { id: 'wait', type: 'wait', anchor: 'start', offset_minutes: -60, next: 'split' },
    { id: 'split', type: 'attendance_split', attended: 'text', no_show: 'done' },
    { id: 'text', type: 'send_text', message_body: '{{var_a}}', variables, next: 'done' },
    { id: 'done', type: 'end' },
  ],
};

/** What a field takes that its schema calls any object or text. furnish() makes an import with this one column. */
const objects: Readonly<Record<string, Fields>> = {
  set_import_mapping: { mapping: { [sampleText]: 'email' } },
  // Its type may be email.
  add_identifier: { identifier_value: 'another@example.com' },
  update_identifier: { identifier_value: 'another@example.com' },
  test_broadcast: { to: ['sample@example.com'] },
  link_webinar: { event_id: '12345678901' }, // as the platform of the connection there is writes them
  append_import_rows: { rows: [{ [sampleText]: sampleText }] },
  mend_import_row: { row: 2, cells: { [sampleText]: sampleText } },
};

/** What inputs with every field have instead, where fields do not go together and the schema does not tell. */
const fitting: Readonly<Record<string, readonly Fields[]>> = {
  create_broadcast: [
    { ...emailToSegment, ...unnamed },
    { ...textToWebinar, ...unnamed },
  ],
  // A furnished row is at its first revision, and what is written to it twice is at another.
  update_broadcast: [
    { ...emailToSegment, revision: undefined },
    { ...textToWebinar, revision: undefined },
  ],
  // Takes none: it only says where a webinar is moved.
  update_webinar: [{ start_time: undefined }],
  // One event or several, of a person by their id or by what they are called.
  record_events: [oneEvent, severalEvents],
  // By the person's id, or by what they are called.
  unregister_from_webinar: [{ user_id: undefined, email: undefined }],
  // Each platform has fields of its own.
  connect_platform: [{ refresh_token: undefined }, { platform: 'goto', webhook_secret_token: undefined }],
  create_workflow: [{ graph }],
  update_workflow: [{ graph, revision: undefined }],
  publish_workflow: [{ revision: undefined }],
  // A slug is one page's of the whole installation; without one, each gets its own.
  update_registration_page: [
    {
      slug: undefined,
      fields: [{ field: 'email', required: true }, { property: sampleText }],
      frame_origins: ['https://example.com'],
      revision: undefined,
    },
  ],
  // A cursor is made by the page before, and a link stands alone.
  list_broadcast_recipients: [{ cursor: undefined, link: undefined }],
};

/** In how many ways an operation has every field. */
export const variantsOf = ({ name }: AnyOperation): number => fitting[name]?.length ?? 1;

export type Step = string | 0;

/** Where an input takes the id of a thing: `['person_id']`, or deeper. */
export interface IdField {
  readonly name: string;
  readonly path: readonly Step[];
}

/** Every id in an input: a field called …_id that takes uuids and nothing else. */
export function idFields(schema: z.ZodType, path: readonly Step[] = []): IdField[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) {
    return Object.entries(inner.shape).flatMap(([name, field]) =>
      idFields(field as z.ZodType, [...path, name]),
    );
  }
  if (inner instanceof z.ZodArray) return idFields(inner.element as z.ZodType, [...path, 0]);
  const name = path.findLast((step) => step !== 0);
  const isId = name?.endsWith('_id') === true && takesOnlyUuids(inner);
  return isId ? [{ name, path }] : [];
}

const takesOnlyUuids = (schema: z.ZodType): boolean =>
  candidates.find((value) => schema.safeParse(value).success) === candidates[5];

/**
 * An input the operation takes, made from its schema alone: with every field when `fields` is 'all', else with the
 * required ones and as few others as its refinements ask for.
 */
export function sampleInput(
  operation: AnyOperation,
  input: z.ZodObject,
  fields: 'all' | 'few',
  variant = 0,
): Record<string, unknown> {
  const known = objects[operation.name] ?? {};
  const instead = { ...known, ...fitting[operation.name]?.[variant] };
  const sampled = sampleOf(input, 'all') as Fields;
  const unknown = Object.keys(sampled).find((name) => sampled[name] === undefined && !(name in instead));
  if (unknown !== undefined) throw new Error(`No sample fits ${unknown} of ${operation.name}: ${advice}`);
  const all = withoutUndefined({ ...sampled, ...instead });
  const few = { ...(sampleOf(input, 'few') as Fields), ...known };
  const tries = [few, ...Object.entries(all).map(([name, value]) => ({ ...few, [name]: value }))];
  const found = (fields === 'all' ? [all, ...tries] : [...tries, all]).find(
    (one) => input.safeParse(one).success,
  );
  if (found !== undefined) return found;
  throw new Error(`No valid input can be generated for ${operation.name}: ${advice}`);
}

const advice = 'teach tests/support/sample-input.ts what its schema takes.';

const withoutUndefined = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

function sampleOf(schema: z.ZodType, fields: 'all' | 'few'): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) {
    const wanted = Object.entries(inner.shape as Record<string, z.ZodType>).filter(
      ([, field]) => fields === 'all' || !field.safeParse(undefined).success,
    );
    return Object.fromEntries(wanted.map(([name, field]) => [name, sampleOf(field, fields)]));
  }
  if (inner instanceof z.ZodArray) {
    const element = inner.element as z.ZodType;
    return element.meta()?.id === 'FilterCondition' ? conditions[fields] : [sampleOf(element, fields)];
  }
  if (inner instanceof z.ZodRecord) return {};
  if (inner instanceof z.ZodEnum) return inner.options[0];
  if (inner instanceof z.ZodLiteral) return inner.value;
  if (inner instanceof z.ZodUnion) return sampleOf(inner.options[0] as z.ZodType, fields);
  return candidates.find((value) => schema.safeParse(value).success);
}

/** The schema without what makes it optional, nullable, defaulted or transformed. */
function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) return unwrap(schema.in as z.ZodType);
  const { innerType } = schema.def as { innerType?: z.ZodType };
  return innerType === undefined ? schema : unwrap(innerType);
}

/** The same input with something else at a path. */
export function withValue(input: unknown, path: readonly Step[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (step === 0) return [withValue((input as unknown[])[0], rest, value)];
  const object = (input ?? {}) as Record<string, unknown>;
  return { ...object, [step]: withValue(object[step], rest, value) };
}
