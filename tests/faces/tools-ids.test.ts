import { expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { idFields } from '../support/sample-input.ts';
import type { TestOrg, ToolAnswer } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const idNames = [
  'person_id',
  'identifier_id',
  'config_id',
  'segment_id',
  'broadcast_id',
  'sender_id',
  'webinar_id',
  'workflow_id',
  'automation_id',
  'run_id',
  'import_id',
] as const;
type IdName = (typeof idNames)[number];
type Ids = Record<IdName, string>;
type Body = ToolAnswer['body'];

const filters = [{ property: 'primary_email', op: 'is_not_empty' }];
const chat = { identifier_type: 'chat', identifier_value: 'ada' };
const theChat = ({ identifiers }: Body): string =>
  identifiers.find((one: { identifier_type: string }) => one.identifier_type === 'chat').id;

const webinar = { title: 'Getting started', start_time: '2030-01-01T10:00:00Z' };
const later = { start_time: '2030-01-02T10:00:00Z' };
const graph = {
  trigger: { type: 'webinar_registration', next: 'hour' },
  nodes: [
    { id: 'hour', type: 'wait', duration_minutes: 60, next: 'end' },
    { id: 'end', type: 'end' },
  ],
};
const user = { email: 'ada@example.com' };
const list = { name: 'People of spring', columns: ['Email'] };
const mapping = { Email: 'email' };
const rows = [{ Email: 'ada@example.com' }];

/** Somebody with an identifier more, a property with a value, a segment, a sender, a draft, a run for a webinar and an import. */
async function furnish(org: TestOrg): Promise<Ids> {
  const person_id = await org.person({ email: 'ada@example.com' });
  await org.tool('add_identifier', { person_id, ...chat });
  const config = await org.tool('create_property_config', { key: 'tier', name: 'Tier', type: 'string' });
  await org.tool('set_person_property', { person_id, key: 'tier', value: 'pro' });
  const segment = await org.tool('create_segment', { name: 'With an email', filters });
  const sender = await org.rest('POST /v1/senders', { name: 'News', email: 'news@example.com' });
  const draft = await org.tool('create_broadcast', { audience: 'everyone' });
  const webinar_id = (await org.tool('create_webinar', { webinar })).body.webinar.id;
  const workflow_id = (await org.tool('create_workflow', { name: 'Reminders', graph })).body.workflow.id;
  await org.tool('publish_workflow', { workflow_id });
  await org.tool('register_for_webinar', { webinar_id, user });
  const import_id = (await org.tool('create_import', list)).body.import_id;
  await org.tool('set_import_mapping', { import_id, mapping });
  return {
    person_id,
    identifier_id: theChat((await org.tool('list_identifiers', { person_id })).body),
    config_id: config.body.property_config.id,
    segment_id: segment.body.segment.id,
    broadcast_id: draft.body.broadcast.id,
    sender_id: sender.body.sender.id,
    webinar_id,
    workflow_id,
    automation_id: workflow_id,
    run_id: (await org.tool('list_workflow_runs', { workflow_id })).body.runs[0].id,
    import_id,
  };
}

type Source = [name: IdName, tool: string, input: (ids: Ids) => object, read: (body: Body) => string];

const sources: Source[] = [
  ['person_id', 'identify_person', () => ({ email: 'ada@example.com' }), (body) => body.person_id],
  ['person_id', 'search_people', () => ({ query: 'ada' }), (body) => body.people[0].id],
  ['person_id', 'list_people', () => ({}), (body) => body.people[0].id],
  ['person_id', 'list_segment_members', ({ segment_id }) => ({ segment_id }), (body) => body.people[0].id],
  ['person_id', 'get_person', ({ person_id }) => ({ person_id }), (body) => body.person.id],
  [
    'person_id',
    'add_identifier',
    ({ person_id }) => ({ person_id, ...chat }),
    (body) => body.existing_org_user_id,
  ],
  ['identifier_id', 'list_identifiers', ({ person_id }) => ({ person_id }), theChat],
  [
    'identifier_id',
    'add_identifier',
    ({ person_id }) => ({ person_id, ...chat }),
    (body) => body.existing_identifier_id,
  ],
  [
    'identifier_id',
    'update_identifier',
    ({ person_id, identifier_id }) => ({ person_id, identifier_id, is_contact_method: true }),
    (body) => body.identifier.id,
  ],
  [
    'config_id',
    'create_property_config',
    () => ({ key: 'seats', name: 'Seats', type: 'number' }),
    (body) => body.property_config.id,
  ],
  ['config_id', 'list_property_configs', () => ({}), (body) => body.property_configs[0].id],
  [
    'config_id',
    'update_property_config',
    ({ config_id }) => ({ config_id, name: 'Rank' }),
    (body) => body.property_config.id,
  ],
  [
    'config_id',
    'get_person_properties',
    ({ person_id }) => ({ person_id }),
    (body) => body.properties[0].property_config_id,
  ],
  [
    'config_id',
    'set_person_property',
    ({ person_id }) => ({ person_id, key: 'tier', value: 'free' }),
    (body) => body.property.property_config_id,
  ],
  ['segment_id', 'create_segment', () => ({ name: 'Another', filters }), (body) => body.segment.id],
  ['segment_id', 'list_segments', () => ({}), (body) => body.segments[0].id],
  ['segment_id', 'get_segment', ({ segment_id }) => ({ segment_id }), (body) => body.segment.id],
  [
    'segment_id',
    'update_segment',
    ({ segment_id }) => ({ segment_id, color: '#fff' }),
    (body) => body.segment.id,
  ],
  ['broadcast_id', 'create_broadcast', () => ({ audience: 'everyone' }), (body) => body.broadcast.id],
  [
    'broadcast_id',
    'update_broadcast',
    ({ broadcast_id }) => ({ broadcast_id, subject: 'Hello' }),
    (body) => body.broadcast.id,
  ],
  ['broadcast_id', 'plan_broadcast', ({ broadcast_id }) => ({ broadcast_id }), (body) => body.broadcast_id],
  [
    'broadcast_id',
    'get_broadcast_stats',
    ({ broadcast_id }) => ({ broadcast_id }),
    (body) => body.broadcast_id,
  ],
  ['broadcast_id', 'get_broadcast', ({ broadcast_id }) => ({ broadcast_id }), (body) => body.broadcast.id],
  ['broadcast_id', 'list_broadcasts', () => ({}), (body) => body.broadcasts[0].id],
  ['sender_id', 'list_senders', () => ({}), (body) => body.senders[0].id],
  ['webinar_id', 'create_webinar', () => ({ webinar }), (body) => body.webinar.id],
  ['webinar_id', 'list_webinars', () => ({}), (body) => body.webinars[0].id],
  ['webinar_id', 'get_webinar', ({ webinar_id }) => ({ webinar_id }), (body) => body.webinar.id],
  [
    'person_id',
    'list_registrations',
    ({ webinar_id }) => ({ webinar_id }),
    (body) => body.registrations[0].person_id,
  ],
  ['workflow_id', 'create_workflow', () => ({ name: 'Another', graph }), (body) => body.workflow.id],
  ['workflow_id', 'list_workflows', () => ({}), (body) => body.workflows[0].id],
  ['automation_id', 'list_workflows', () => ({}), (body) => body.workflows[0].id],
  ['run_id', 'list_workflow_runs', ({ workflow_id }) => ({ workflow_id }), (body) => body.runs[0].id],
  ['import_id', 'create_import', () => list, (body) => body.import_id],
  ['import_id', 'list_data_imports', () => ({}), (body) => body.data_imports[0].id],
  ['import_id', 'set_import_mapping', ({ import_id }) => ({ import_id, mapping }), (body) => body.import_id],
  ['import_id', 'append_import_rows', ({ import_id }) => ({ import_id, rows }), (body) => body.import_id],
  ['import_id', 'preview_import', ({ import_id }) => ({ import_id }), (body) => body.import_id],
  ['import_id', 'get_import', ({ import_id }) => ({ import_id }), (body) => body.id],
];

/** What each tool that takes an id takes beside its ids. Those that destroy come last. */
const takers: Readonly<Record<string, object>> = {
  get_person: {},
  list_identifiers: {},
  add_identifier: { identifier_type: 'phone', identifier_value: '+15550001' },
  update_identifier: { identifier_value: 'lovelace' },
  get_person_properties: {},
  set_person_property: { key: 'tier', value: 'gold' },
  list_subscriptions: {},
  get_opt_outs: {},
  set_opt_outs: { sms_opt_out: false },
  update_property_config: { description: 'What they pay for.' },
  list_people: {},
  get_segment: {},
  list_segment_members: {},
  update_segment: { name: 'Renamed' },
  create_broadcast: { audience: 'segment', webinar_id: undefined },
  update_broadcast: { audience: 'segment', webinar_id: undefined },
  get_broadcast: {},
  list_broadcasts: {},
  plan_broadcast: {},
  schedule_broadcast: { plan_token: 'a token that no plan gave' },
  unschedule_broadcast: {},
  stop_broadcast: {},
  get_broadcast_stats: {},
  explain_recipient: {},
  get_webinar: {},
  list_registrations: {},
  update_webinar: { title: 'Renamed' },
  reschedule_webinar: later,
  preview_reschedule: later,
  register_for_webinar: { user },
  report_attendance: user,
  get_workflow: {},
  update_workflow: { name: 'Renamed' },
  publish_workflow: {},
  simulate_workflow: {},
  list_workflow_runs: {},
  get_workflow_run: {},
  pause_workflow: {},
  resume_workflow: {},
  set_import_mapping: { mapping },
  append_import_rows: { rows },
  preview_import: {},
  get_import: {},
  cancel_import: {},
  cancel_webinar: {},
  delete_segment: {},
  delete_person_property: { key: 'tier' },
  delete_property_config: {},
  remove_identifier: {},
  delete_person: {},
};

/** These find the draft, and refuse it for its state. */
const refusedByState = new Set(['schedule_broadcast', 'unschedule_broadcast', 'stop_broadcast']);

const idsTaken = new Map(
  (operations as readonly AnyOperation[])
    .filter(({ faces }) => faces.tool === true)
    .map(({ name, input }): [string, IdName[]] => [
      name,
      idFields(input)
        .filter(({ path }) => path.length === 1)
        .map((field) => field.name as IdName),
    ])
    .filter(([, names]) => names.length > 0),
);

test('TOL-011 every tool that takes an id is asked, and every kind of id comes from some tool', () => {
  expect(Object.keys(takers).toSorted()).toEqual([...idsTaken.keys()].toSorted());
  expect(new Set([...idsTaken.values()].flat())).toEqual(new Set(idNames));
  expect(new Set(sources.map(([name]) => name))).toEqual(new Set(idNames));
});

const readers = new Set(
  (operations as readonly AnyOperation[]).filter(({ effect }) => effect === 'read').map(({ name }) => name),
);

let shared: Promise<{ org: TestOrg; furnished: Ids }> | undefined;
const arranged = async () => {
  const org = await world().newOrg();
  return { org, furnished: await furnish(org) };
};

test.each(sources)(
  'TOL-011 the %s that %s answers is accepted by every tool that takes one',
  async (name, tool, input, read) => {
    const takersOf = Object.entries(takers).filter(([taker]) => idsTaken.get(taker)!.includes(name));
    const reading = takersOf.filter(([taker]) => readers.has(taker));
    // In the gate every tool gets the id of the first source of its kind. Those of the others are only read by: that
    // leaves everything as it was, so that one organization does for all of them.
    const isFirst = sources.find(([other]) => other === name)![1] === tool;
    const isShared = !isLong && !isFirst && reading.length > 0;
    const { org, furnished } = await (isShared ? (shared ??= arranged()) : arranged());
    const answer = await org.tool(tool, input(furnished));
    expect(answer.isError).toBe(false);
    const id = read(answer.body);
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const ids = { ...furnished, [name]: id };
    const refused: string[] = [];
    for (const [taker, rest] of isShared ? reading : takersOf) {
      const names = idsTaken.get(taker)!;
      const { isError, body, text } = await org.tool(taker, {
        ...Object.fromEntries(names.map((one) => [one, ids[one]])),
        ...rest,
      });
      if (isError && !(refusedByState.has(taker) && body.status === 409)) refused.push(`${taker}: ${text}`);
    }
    expect(refused).toEqual([]);
  },
);
