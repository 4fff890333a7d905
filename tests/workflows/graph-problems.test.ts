import { beforeAll, describe, expect, test } from 'vitest';
import { setLayout, setVerified } from '../support/broadcast.ts';
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
import { problemsOf, turn, type Json } from './graph-ways.ts';

const world = useWorld();
let org: TestOrg;
beforeAll(async () => {
  org = await world().newOrg();
});

describe('a draft may be half done, and cannot be published', () => {
  test('without anything after its trigger', async () => {
    expect(await problemsOf(org, { trigger: onRegistration() })).toEqual([
      '/graph/trigger/next next_missing',
    ]);
    const { workflow } = (await org.rest('POST /v1/workflows', { name: 'Nothing yet' })).body;
    expect(workflow).toMatchObject({ status: 'draft', live_version: null, has_unpublished_changes: true });
    expect(workflow.problems).toMatchObject([{ pointer: '/graph/trigger/next', code: 'next_missing' }]);
  });

  test('with a dead end, a node nobody comes to, or a circle without a pause', async () => {
    expect(
      await problemsOf(org, {
        trigger: { ...onRegistration(), next: 'a' },
        nodes: [
          { id: 'a', type: 'attendance_split', attended: 'b' },
          { id: 'b', type: 'wait', anchor: 'start', next: 'a' },
          { id: 'c', type: 'end' },
        ],
      }),
    ).toEqual([
      '/graph/nodes/0/no_show next_missing',
      '/graph/nodes/2 unreachable',
      '/graph/nodes/0 endless',
    ]);
  });

  test('when it asks about a webinar and what triggers it has none', async () => {
    const graph = inLine(
      onEvent('bought'),
      { id: 'w', type: 'wait', anchor: 'end', offset_minutes: 10 },
      { id: 's', type: 'attendance_split', attended: 'done', no_show: 'done' },
    );
    expect(await problemsOf(org, graph)).toEqual([
      '/graph/nodes/0/anchor webinar_required',
      '/graph/nodes/1 webinar_required',
    ]);
    expect(
      await problemsOf(org, {
        ...graph,
        trigger: { ...graph.trigger, event_name: '$svc_webinar_attendance' },
      }),
    ).toEqual([]);
  });

  test.each(['$svc_email_sent', '$svc_text_sent'])(
    'when %s triggers it: it would start itself',
    async (name) => {
      expect(await problemsOf(org, inLine(onEvent(name)))).toEqual([
        '/graph/trigger/event_name starts_itself',
      ]);
    },
  );

  test('when a message lacks something, as a broadcast’s plan would say', async () => {
    const other = await world().newOrg();
    const email = { id: 'a', type: 'send_email' };
    const text = { id: 'b', type: 'send_text' };
    expect(await problemsOf(other, inLine(onRegistration(), email, text))).toEqual([
      '/graph/nodes/0/html body_missing',
      '/graph/nodes/0/subject subject_missing',
      '/graph/nodes/0/sender_id sender_missing',
      '/graph/nodes/0 layout_incomplete',
      '/graph/nodes/1/message_body body_missing',
      '/graph/nodes/1 sms_number_missing',
    ]);
    await setLayout(other);
    const sender_id = await newSender(world(), other, { ready: false });
    const empty = { ...email, subject: 'Hello', html: '<p> </p>', sender_id };
    expect(await problemsOf(other, inLine(onRegistration(), empty))).toEqual([
      '/graph/nodes/0/html body_missing',
      '/graph/nodes/0/sender_id sender_domain_unverified',
    ]);
    await setVerified(world(), sender_id, true);
    expect(await problemsOf(other, inLine(onRegistration(), { ...empty, html: '<p>Hi</p>' }))).toEqual([]);
  });

  test('when what it reads, asks about or sets was deleted since, or came back as another type', async () => {
    const other = await world().newOrg();
    const config = async (key: string, type: string) =>
      (await other.tool('create_property_config', { key, name: key, type })).body.property_config
        .id as string;
    const ids = [
      await config('read', 'string'),
      await config('asked', 'string'),
      await config('set', 'string'),
    ];
    const variable = '{{context.root_context.org_user.custom_properties.read}}';
    const email = await emailNode(world(), other, 'a', {
      html: '<p>{{var_a}}</p>',
      variables: { var_a: { variable } },
    });
    const filters = [{ custom_property_key: 'asked', op: 'eq', value: 'x' }];
    const { id, problems } = await newWorkflow(
      other,
      inLine(
        onRegistration(),
        email,
        { id: 's', type: 'condition_split', filters, yes: 'p', no: 'p' },
        { id: 'p', type: 'set_property', key: 'set', value: 'x' },
      ),
    );
    expect(problems).toEqual([]);
    for (const config_id of ids) await other.tool('delete_property_config', { config_id });
    await config('set', 'number');
    const places = async () =>
      (await readWorkflow(other, id)).problems.map(({ pointer, code }: Json) => `${pointer} ${code}`);
    expect(await places()).toEqual([
      '/graph/nodes/0/variables variable_missing',
      '/graph/nodes/1/filters/0/custom_property_key unknown_property',
      '/graph/nodes/2/value invalid_type',
    ]);
    expect(await turn('publish').tool(other, id)).toMatchObject({
      status: 400,
      body: { code: 'workflow_incomplete' },
    });
  });

  test('and what is wrong inside nodes is listed in the order of the nodes', async () => {
    const other = await world().newOrg();
    const config_id = (
      await other.tool('create_property_config', { key: 'set', name: 'Set', type: 'string' })
    ).body.property_config.id;
    const { id } = await newWorkflow(
      other,
      inLine(
        onRegistration(),
        { id: 'a', type: 'set_property', key: 'set', value: 'x' },
        { id: 'b', type: 'send_text' },
        { id: 'c', type: 'set_property', key: 'set', value: 'x' },
      ),
    );
    await other.tool('delete_property_config', { config_id });
    const { problems } = await readWorkflow(other, id);
    expect(problems.map(({ pointer, code }: Json) => `${pointer} ${code}`)).toEqual([
      '/graph/nodes/0/key unknown_property',
      '/graph/nodes/1/message_body body_missing',
      '/graph/nodes/1 sms_number_missing',
      '/graph/nodes/2/key unknown_property',
    ]);
  });

  test('a key that is only spelled alike is the config’s own when it is published', async () => {
    const other = await world().newOrg();
    await other.tool('create_property_config', { key: 'plan_tier', name: 'Tier', type: 'string' });
    const graph = inLine(
      onRegistration(),
      {
        id: 's',
        type: 'condition_split',
        filters: [{ custom_property_key: 'planTier', op: 'is_empty' }],
        yes: 'p',
        no: 'p',
      },
      { id: 'p', type: 'set_property', key: 'PlanTier', value: 'pro' },
    );
    expect(await problemsOf(other, graph)).toEqual([]);
    const { rows } = await world().admin.query('select graph from workflow_versions where org_id = $1', [
      other.id,
    ]);
    expect(rows[0].graph.nodes).toMatchObject({
      s: { filters: [{ custom_property_key: 'planTier', resolved_key: 'plan_tier' }] },
      p: { key: 'plan_tier' },
    });
  });
});
