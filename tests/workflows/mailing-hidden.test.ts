import { expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { inputWith, readTableOf } from '../isolation/furnished-orgs.ts';
import { newDraft, newWebinar, plan, setLayout } from '../support/broadcast.ts';
import { newSender } from '../support/sender-row.ts';
import { waysTo } from '../support/call-operation.ts';
import { furnish } from '../support/furnish.ts';
import { contentsOf } from '../support/org-contents.ts';
import { useWorld } from '../support/world.ts';
import { add, newMailing, rowOf } from './mailing-setting.ts';

const world = useWorld();
const catalogue: readonly AnyOperation[] = operations;
const ofBroadcasts = catalogue.filter(
  ({ name, input }) => 'broadcast_id' in input.shape && name !== 'create_broadcast',
);

test('to every operation on a broadcast, over every face, the id of a mailing is nobody’s', async () => {
  const org = await world().newOrg();
  const ids = await furnish(world().admin, org.id);
  const tableOf = await readTableOf(world());
  const mailing = await newMailing(world(), org);
  await add(world(), org, mailing, [await org.person({ email: 'ann@example.com' })]);
  const { id } = await rowOf(world(), mailing);
  const before = await contentsOf(world().admin, org);
  const answers: unknown[] = [];
  for (const operation of ofBroadcasts) {
    for (const way of waysTo(operation)) {
      const input = inputWith({ ...ids, broadcasts: id }, tableOf, operation, way, 'few');
      const { status, body } = await way.call(org, input);
      answers.push([way.name, status, (body as { code?: string }).code]);
    }
  }
  expect(answers.length).toBeGreaterThan(12);
  expect(answers).toEqual(answers.map((answer) => [(answer as unknown[])[0], 404, 'not_found']));
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('lists of broadcasts neither show nor count mailings, whatever is asked', async () => {
  const org = await world().newOrg();
  const webinar_id = await newWebinar(world(), org);
  const mailing = await newMailing(world(), org, { webinar_id });
  await add(world(), org, mailing, [await org.person({ email: 'ann@example.com' })]);
  const { id } = await newDraft(org, {
    audience: 'webinar',
    webinar_id,
    subject: 'Hello',
    html: '<p>Hi</p>',
  });
  for (const query of ['', `?webinar_id=${webinar_id}`, '?channel=email']) {
    const { body } = await org.rest(`GET /v1/broadcasts${query}`);
    expect([body.total, body.broadcasts.map((one: { id: string }) => one.id)]).toEqual([1, [id]]);
  }
  const { body } = await org.rest('GET /v1/broadcasts?status=sending');
  expect([body.total, body.broadcasts]).toEqual([0, []]);
});

test('a broadcast that says the same as a workflow’s message is not said to have been sent before', async () => {
  const org = await world().newOrg();
  await setLayout(org);
  const mailing = await newMailing(world(), org);
  await add(world(), org, mailing, [await org.person({ email: 'ann@example.com' })]);
  const { subject, html } = mailing.message;
  const sender_id = await newSender(world(), org);
  const { id } = await newDraft(org, { audience: 'everyone', subject, html, sender_id });
  const { ready, checks } = await plan(org, id);
  expect(ready).toBe(true);
  expect(checks.map(({ code }: { code: string }) => code)).not.toContain('sent_before');
});
