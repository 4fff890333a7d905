import { expect, test } from 'vitest';

import { readyDraft } from '../../support/broadcast.ts';
import { receiversOf, settled, useSending } from '../../support/sending.ts';
import { newSendingOrg } from '../../support/reader-rows.ts';

const sending = useSending();

test('a test of a broadcast arrives through the engine, once, and nobody else gets anything', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const subject = `Try ${org.id}`;
  const { id } = await readyDraft(world, org, { subject });
  const { status, body } = await org.rest(`POST /v1/broadcasts/${id}/test`, { to: ['me@example.com'] });
  expect(status).toBe(200);
  await expect
    .poll(() => receiversOf(mail, `[Test] ${subject}`), { timeout: 60_000 })
    .toEqual(['me@example.com']);
  await settled(world, org);
  expect(mail.mails.filter((one) => one.subject.includes(subject))).toHaveLength(1);
  const told = world.logLines.find((line) => line.includes(body.test_send_id));
  expect(told).toContain('"outcomes":["sent"]');
  expect(told).not.toContain('me@example.com');
});
