import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { newWebinar } from '../support/broadcast.ts';
import { newSender } from '../support/sender-row.ts';
import {
  emailNode,
  inLine,
  newWorkflow,
  onEvent,
  onRegistration,
  readWorkflow,
} from '../support/workflow.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { create, faces, placesOf, refusedGraph, update } from './graph-ways.ts';

const world = useWorld();

let org: TestOrg;
let theirs: TestOrg;
let draft: string;

beforeAll(async () => {
  [org, theirs] = [await world().newOrg(), await world().newOrg()];
  for (const [key, type] of [
    ['plan_tier', 'string'],
    ['seats', 'number'],
    ['vip', 'boolean'],
  ])
    await org.tool('create_property_config', { key, name: key, type });
  draft = (await newWorkflow(org)).id;
});

const refused = async (...nodes: object[]): Promise<string[]> =>
  placesOf(
    await refusedGraph(
      world(),
      org,
      draft,
      inLine(onRegistration(), ...(nodes as Record<string, unknown>[])),
    ),
  );

const user = (field: string): string => `{{context.root_context.org_user.${field}}}`;

describe('a graph is refused with the place', () => {
  test('of a node that is called as another or as the trigger', async () => {
    const wait = { type: 'wait', duration_minutes: 1 };
    expect(await refused({ id: 'a', ...wait }, { id: 'b', ...wait }, { id: 'a', ...wait })).toEqual([
      '/graph/nodes/2/id duplicate',
    ]);
    expect(await refused({ id: 'trigger', ...wait })).toEqual(['/graph/nodes/0/id reserved']);
  });

  test.each(['__proto__', '', '-a', 'a b', 'a'.repeat(65), 'ä', 'a\n'])('of a node called %j', async (id) => {
    const graph = { trigger: onRegistration(), nodes: [{ id, type: 'end' }] };
    expect(placesOf(await refusedGraph(world(), org, draft, graph))).toEqual([
      '/graph/nodes/0/id invalid_format',
    ]);
  });

  test('of every way that leads to no node, with those there are', async () => {
    const errors = await refusedGraph(world(), org, draft, {
      trigger: { ...onRegistration(), next: 'nowhere' },
      nodes: [
        { id: 'a', type: 'attendance_split', attended: 'b', no_show: 'x' },
        { id: 'b', type: 'wait', anchor: 'start', next: 'b', past: 'constructor' },
      ],
    });
    expect(placesOf(errors)).toEqual([
      '/graph/trigger/next unknown_node',
      '/graph/nodes/0/no_show unknown_node',
      '/graph/nodes/1/past unknown_node',
    ]);
    for (const { allowed } of errors) expect(allowed).toEqual(['a', 'b']);
  });

  test.each([
    [{}, '/graph/nodes/0 custom'],
    [{ duration_minutes: 1, anchor: 'start' }, '/graph/nodes/0 custom'],
    [{ duration_minutes: 1, past: 'done' }, '/graph/nodes/0 custom'],
    [{ duration_minutes: -1 }, '/graph/nodes/0/duration_minutes too_small'],
    [{ duration_minutes: 366 * 24 * 60 + 1 }, '/graph/nodes/0/duration_minutes too_big'],
    [{ duration_minutes: '5' }, '/graph/nodes/0/duration_minutes invalid_type'],
    [{ anchor: 'middle' }, '/graph/nodes/0/anchor invalid_value'],
    [{ anchor: 'start', offset_minutes: -366 * 24 * 60 - 1 }, '/graph/nodes/0/offset_minutes too_small'],
    [{ duration_minutes: 1, nxet: 'done' }, '/graph/nodes/0/nxet unknown_field'],
  ])('of a wait with %j', async (fields, place) => {
    expect(await refused({ id: 'w', type: 'wait', ...fields })).toEqual([place]);
  });

  test('of a type that there is not, and of more nodes than a hundred', async () => {
    expect(await refused({ id: 'a', type: 'teleport' })).toEqual(['/graph/nodes/0/type invalid_union']);
    const many = Array.from({ length: 101 }, (_, at) => ({ id: `n${at}`, type: 'end' }));
    const graph = { trigger: onRegistration(), nodes: many };
    expect(placesOf(await refusedGraph(world(), org, draft, graph))).toEqual(['/graph/nodes too_big']);
  });

  test('of a hostile body, each with its line', async () => {
    const errors = await refusedGraph(
      world(),
      org,
      draft,
      inLine(
        onRegistration(),
        { id: 'w', type: 'wait', duration_minutes: 1 },
        { id: 'a', type: 'send_email', html: '<p>Hello</p>\n<script>alert(1)</script>' },
        { id: 'b', type: 'send_email', html: '<p onclick="x()">Hello</p>', subject: 'Hi {{var_x}}' },
        { id: 'c', type: 'send_text', message_body: 'Hello {{first_name}}' },
      ),
    );
    expect(new Set(errors.map(({ pointer }) => pointer))).toEqual(
      new Set([
        '/graph/nodes/1/html',
        '/graph/nodes/2/subject',
        '/graph/nodes/2/html',
        '/graph/nodes/3/message_body',
      ]),
    );
    expect(errors.find(({ pointer }) => pointer === '/graph/nodes/1/html')?.detail).toMatch(/^Line 2, /);
  });

  test('of a variable that is not defined, cannot be read or has no webinar to be read from', async () => {
    const html = '<p>{{var_a}} {{var_b}}</p>';
    const variables = { var_b: { variable: user('shoe_size') } };
    expect(await refused({ id: 'a', type: 'send_email', html, variables })).toEqual([
      '/graph/nodes/0/variables undefined_placeholder',
      '/graph/nodes/0/variables/var_b/variable unknown_variable',
    ]);
    const join = { variable: '{{context.root_context.registration_join_url}}', fallback: 'soon' };
    const text = { id: 'a', type: 'send_text', message_body: '{{var_j}}', variables: { var_j: join } };
    for (const trigger of [onEvent('bought'), onEvent('$svc_email_opened')]) {
      expect(placesOf(await refusedGraph(world(), org, draft, inLine(trigger, text)))).toEqual([
        '/graph/nodes/0/variables/var_j/variable webinar_required',
      ]);
    }
    for (const trigger of [
      onRegistration(),
      onEvent('$svc_webinar_registration'),
      onEvent('$svc_webinar_attendance'),
    ])
      expect((await create.rest(org, { name: 'Fine', graph: inLine(trigger, text) })).status).toBe(201);
  });

  test('of a condition that cannot be', async () => {
    const split = (...filters: object[]) => ({
      id: 's',
      type: 'condition_split',
      filters,
      yes: 'done',
      no: 'done',
    });
    expect(
      await refused(
        split(
          { property: 'first_name', op: 'eq', value: 'Ada' },
          { property: 'first_name', op: 'gt', value: 1 },
          { custom_property_key: 'unheard_of', op: 'is_empty' },
        ),
      ),
    ).toEqual([
      '/graph/nodes/0/filters/1/op invalid_operator',
      '/graph/nodes/0/filters/2/custom_property_key unknown_property',
    ]);
    expect(await refused(split())).toEqual(['/graph/nodes/0/filters too_small']);
  });

  test('of a property without a config, and of a value that is not of its type', async () => {
    const set = (key: string, value: unknown) => ({ id: 'p', type: 'set_property', key, value });
    expect(await refused(set('unheard_of', 1))).toEqual(['/graph/nodes/0/key unknown_property']);
    for (const [key, value] of [
      ['seats', '7'],
      ['plan_tier', 7],
      ['vip', 'true'],
    ] as const)
      expect(await refused(set(key, value))).toEqual(['/graph/nodes/0/value invalid_type']);
  });
});

test('a hundred faults are told twenty at a time', async () => {
  const nodes = Array.from({ length: 90 }, (_, at) => ({ id: `n${at}`, type: 'send_email', html: '<div>' }));
  expect(await refused(...nodes)).toHaveLength(20);
});

test('TEN-001 TEN-007 a webinar or a sender of another organization is not found, whatever else is wrong', async () => {
  const [webinar, sender] = [await newWebinar(world(), theirs), await newSender(world(), theirs)];
  const broken = { id: 'trigger', type: 'send_email', html: '<script>' };
  for (const graph of [
    inLine(onRegistration(webinar)),
    inLine(onRegistration(randomUUID())),
    inLine(onRegistration(webinar), broken),
    inLine(onRegistration(), { id: 'a', type: 'send_email', sender_id: sender }),
    inLine(onRegistration(), { id: 'a', type: 'send_email', sender_id: randomUUID() }, broken),
  ]) {
    for (const face of faces) {
      const answers = [
        await create[face](org, { name: 'X', graph }),
        await update[face](org, draft, { graph }),
      ];
      for (const { status, body } of answers) {
        expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
        expect(body.detail).toMatch(/^No (webinar|sender) with this id exists in this organization\.$/);
      }
    }
  }
});

test('an id in capitals is the same id', async () => {
  const node = await emailNode(world(), org, 'a');
  const webinar = await newWebinar(world(), org);
  const graph = inLine(onRegistration(webinar.toUpperCase()), {
    ...node,
    sender_id: (node['sender_id'] as string).toUpperCase(),
  });
  const { id } = await newWorkflow(org, graph);
  const read = await readWorkflow(org, id);
  expect(read.graph).toMatchObject({
    trigger: { webinar_id: webinar },
    nodes: [{ sender_id: node['sender_id'] }, {}],
  });
  expect(read.problems).toEqual([]);
});
