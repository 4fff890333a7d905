import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { newWebinar } from '../support/broadcast.ts';
import { newSender } from '../support/sender-row.ts';
import {
  emailNode,
  inLine,
  liveWorkflow,
  newWorkflow,
  onEvent,
  onRegistration,
  publish,
  readWorkflow,
} from '../support/workflow.ts';
import type { TestOrg } from '../support/test-org.ts';
import { registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';
import { isLong } from '../support/volume.ts';
import { faces, turn, update, type Json } from './graph-ways.ts';

const world = useWorld();
const wait = (duration_minutes: number) => ({ id: 'wait', type: 'wait', duration_minutes });

async function versionsOf(org: TestOrg, id: string): Promise<Json[]> {
  const { rows } = await world().admin.query(
    'select version::int, graph from workflow_versions where org_id = $1 and workflow_id = $2 order by version',
    [org.id, id],
  );
  return rows;
}

describe('what is published', () => {
  test('is what runs read: in milliseconds, every way filled in, the messages compiled', async () => {
    const org = await world().newOrg();
    await org.tool('create_property_config', { key: 'vip', name: 'VIP', type: 'boolean' });
    const email = await emailNode(world(), org, 'mail', {
      html: '<p>Hello {{var_name}}</p>',
      variables: { var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'you' } },
    });
    const webinar = await newWebinar(world(), org);
    const id = await liveWorkflow(
      org,
      inLine(
        onRegistration(webinar),
        { id: 'short', type: 'wait', duration_minutes: 0.00001 },
        { id: 'day', type: 'wait', anchor: 'start', offset_minutes: -1440.5, past: 'mail' },
        { id: 'end', type: 'wait', anchor: 'end' },
        email,
        { id: 'set', type: 'set_property', key: 'vip', value: true },
        { id: 'split', type: 'attendance_split', attended: 'ask', no_show: 'done' },
        {
          id: 'ask',
          type: 'condition_split',
          filters: [{ property: 'first_name', op: 'is_empty' }],
          yes: 'done',
          no: 'done',
        },
      ),
    );
    const [{ version, graph }] = (await versionsOf(org, id)) as [Json];
    expect(version).toBe(1);
    expect(graph).toEqual({
      trigger: { type: 'webinar_registration', webinar_id: webinar, next: 'short' },
      nodes: {
        short: { type: 'wait', for: 1, next: 'day', past: 'day' },
        day: { type: 'wait', for: { anchor: 'start', offset_ms: -86_430_000 }, next: 'end', past: 'mail' },
        end: { type: 'wait', for: { anchor: 'end', offset_ms: 0 }, next: 'mail', past: 'mail' },
        mail: {
          type: 'send',
          next: 'set',
          message: {
            channel: 'email',
            subject: 'About mail',
            preview_text: null,
            html: email['html'],
            message_body: null,
            sender_id: email['sender_id'],
            body: expect.objectContaining({ placeholders: ['var_name'] }),
            variables: {
              var_name: expect.objectContaining({
                fallback: 'you',
                template: '{{var}}',
                text_format: 'name',
              }),
            },
          },
        },
        set: { type: 'set_property', key: 'vip', value: true, next: 'split' },
        split: { type: 'attendance_split', attended: 'ask', no_show: 'done' },
        ask: {
          type: 'condition_split',
          filters: [{ property: 'first_name', op: 'is_empty' }],
          yes: 'done',
          no: 'done',
        },
        done: { type: 'end' },
      },
    });
    const { nodes } = await readWorkflow(org, id);
    expect(nodes.map((node: Json) => node.id)).toEqual([
      'trigger',
      'short',
      'day',
      'end',
      'mail',
      'set',
      'split',
      'ask',
      'done',
    ]);
    expect(nodes.filter(({ messages }: Json) => messages !== null).map((node: Json) => node.id)).toEqual([
      'mail',
    ]);
  });

  test('stays as it is while the draft changes, and the next version is the one after it', async () => {
    const org = await world().newOrg();
    for (const face of faces) {
      const id = await liveWorkflow(org, inLine(onRegistration(), wait(60)));
      const changed = await update[face](org, id, { graph: inLine(onEvent('bought'), wait(90)) });
      expect(changed.body.workflow).toMatchObject({
        live_version: 1,
        status: 'live',
        has_unpublished_changes: true,
      });
      expect(await versionsOf(org, id)).toHaveLength(1);
      const columns = async () => {
        const query = 'select trigger_kind, trigger_event, live_version::int from workflows where id = $1';
        return (await world().admin.query(query, [id])).rows[0];
      };
      expect(await columns()).toEqual({
        trigger_kind: 'webinar_registration',
        trigger_event: null,
        live_version: 1,
      });
      const { body } = await turn('publish')[face](org, id);
      expect(body.workflow).toMatchObject({ live_version: 2, has_unpublished_changes: false });
      expect(await columns()).toEqual({ trigger_kind: 'event', trigger_event: 'bought', live_version: 2 });
      const [first, second] = await versionsOf(org, id);
      expect([first.graph.nodes.wait.for, second.graph.nodes.wait.for]).toEqual([3_600_000, 5_400_000]);
    }
  });

  test('published again unchanged is no new version, however the draft came back to it', async () => {
    const org = await world().newOrg();
    const graph = inLine(onRegistration(), wait(60));
    const id = await liveWorkflow(org, graph);
    const before = await readWorkflow(org, id);
    expect(await publish(org, id)).toMatchObject({ live_version: 1, revision: before.revision });
    await update.rest(org, id, { graph: inLine(onRegistration(), wait(61)) });
    await update.rest(org, id, { graph });
    expect(await publish(org, id)).toMatchObject({ live_version: 1, has_unpublished_changes: false });
    expect(await versionsOf(org, id)).toHaveLength(1);
  });

  test('a half-done draft beside it is a change that is not published', async () => {
    const org = await world().newOrg();
    const id = await liveWorkflow(org, inLine(onRegistration(), wait(60)));
    const { body } = await update.rest(org, id, { graph: { trigger: onRegistration(), nodes: [] } });
    expect(body.workflow).toMatchObject({ status: 'live', live_version: 1, has_unpublished_changes: true });
    expect(await turn('publish').rest(org, id)).toMatchObject({
      status: 400,
      body: { code: 'workflow_incomplete' },
    });
    expect(await readWorkflow(org, id)).toMatchObject({ status: 'live', live_version: 1 });
  });

  test('a paused workflow takes a new version and stays paused', async () => {
    const org = await world().newOrg();
    const id = await liveWorkflow(org, inLine(onRegistration(), wait(60)));
    await turn('pause').rest(org, id);
    await update.rest(org, id, { graph: inLine(onRegistration(), wait(90)) });
    expect(await publish(org, id)).toMatchObject({ status: 'paused', live_version: 2 });
    expect((await turn('resume').rest(org, id)).body.workflow).toMatchObject({
      status: 'live',
      live_version: 2,
    });
  });

  test('runs keep the version they began with', async () => {
    const org = await world().newOrg();
    const webinar = await newWebinar(world(), org);
    const id = await liveWorkflow(org, inLine(onRegistration(), wait(60)));
    await registerFor(org, webinar, { email: 'first@example.com' });
    await update.rest(org, id, { graph: inLine(onRegistration(), wait(90)) });
    await registerFor(org, webinar, { email: 'second@example.com' });
    await publish(org, id);
    await registerFor(org, webinar, { email: 'third@example.com' });
    const { runs } = (await org.rest(`GET /v1/workflows/${id}/runs`)).body;
    expect(runs.map(({ version }: Json) => version)).toEqual([2, 1, 1]);
  });

  test('six who publish one change at once make one version', async () => {
    const org = await world().newOrg();
    const { id } = await newWorkflow(org, inLine(onRegistration(), wait(60)));
    const answers = await Promise.all(Array.from({ length: 6 }, () => turn('publish').rest(org, id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await versionsOf(org, id)).toHaveLength(1);
  });
});

describe('a sender', () => {
  const inUse = { status: 409, body: { code: 'still_referenced' } };

  test('that a live or paused workflow sends from cannot be deleted; one that only a draft names can', async () => {
    const org = await world().newOrg();
    const [used, spare] = [await newSender(world(), org), await newSender(world(), org)];
    const sendsFrom = async (sender_id: string) =>
      inLine(onRegistration(), wait(60), await emailNode(world(), org, 'mail', { sender_id }));
    const id = await liveWorkflow(org, await sendsFrom(used));
    const remove = (sender: string) => org.rest(`DELETE /v1/senders/${sender}`);
    expect(await remove(used.toUpperCase())).toMatchObject(inUse);
    await turn('pause').rest(org, id);
    expect(await remove(used)).toMatchObject(inUse);
    await update.rest(org, id, { graph: await sendsFrom(spare) });
    expect(await remove(used)).toMatchObject(inUse);
    expect(await remove(spare)).toMatchObject({ status: 200 });
    expect((await readWorkflow(org, id)).problems).toMatchObject([
      { pointer: '/graph/nodes/1/sender_id', code: 'sender_missing' },
    ]);
    const third = await newSender(world(), org);
    await update.rest(org, id, { graph: await sendsFrom(third) });
    await publish(org, id);
    expect(await remove(used)).toMatchObject({ status: 200 });
    expect(await remove(third)).toMatchObject(inUse);
  });

  test('of another organization’s workflow is nobody else’s concern', async () => {
    const [org, other] = [await world().newOrg(), await world().newOrg()];
    const sender_id = await newSender(world(), org);
    const theirs = await newSender(world(), other);
    await liveWorkflow(
      other,
      inLine(onRegistration(), await emailNode(world(), other, 'mail', { sender_id: theirs })),
    );
    expect((await org.rest(`DELETE /v1/senders/${sender_id}`)).status).toBe(200);
  });

  test('published and deleted at once, either the one or the other is refused', async () => {
    const org = await world().newOrg();
    for (let round = 0; round < (isLong ? 8 : 3); round++) {
      const sender_id = await newSender(world(), org);
      const { id } = await newWorkflow(
        org,
        inLine(onRegistration(), await emailNode(world(), org, 'mail', { sender_id })),
      );
      const [published, removed] = await Promise.all([
        turn('publish').rest(org, id),
        // A little later each time: a deletion is the quicker of the two.
        pause(round * 6).then(() => org.rest(`DELETE /v1/senders/${sender_id}`)),
      ]);
      expect([
        [200, 409],
        [400, 200],
      ]).toContainEqual([published.status, removed.status]);
    }
  });
});
