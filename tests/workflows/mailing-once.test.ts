import { expect, test } from 'vitest';
import { valueMark } from '../../src/domain/content/variables/definition.ts';
import { claimWindow } from '../../src/domain/delivery/ledger/ledger.ts';
import { sweep } from '../../src/durable/sweep.ts';
import { newWebinar, register, setWebinar } from '../support/broadcast.ts';
import { idle } from '../support/idle.ts';
import { inService } from '../support/in-service.ts';
import { expectBalanced, outcomesOf } from '../support/ledger.ts';
import { advanceClock, receiversOf, restartEngine, useSending } from '../support/sending.ts';
import { newReaders, newSendingOrg } from '../support/reader-rows.ts';
import { add, newMailing, over, rowOf } from './mailing-setting.ts';

const sending = useSending();

test('everybody who is added to a mailing gets its message once', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 150);
  const mailing = await newMailing(world, org);
  await add(world, org, mailing, readers.values());
  const { id } = await over(world, mailing);
  expect(receiversOf(mail, mailing.message.subject!).toSorted()).toEqual([...readers.keys()].toSorted());
  expect(await outcomesOf(world, id)).toEqual({ sent: 150 });
  await expectBalanced(world, id);
});

test('a mailing that is over begins again for whoever is added, and nobody else hears of it', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = [...(await newReaders(org, 3))];
  const mailing = await newMailing(world, org);
  for (const [index, [email, person]] of readers.entries()) {
    await add(world, org, mailing, [person]);
    expect(await over(world, mailing)).toMatchObject({ recipients: index + 1, sent: index + 1, error: null });
    expect(receiversOf(mail, mailing.message.subject!).at(-1)).toBe(email);
  }
  await sweep(world.database, new Date(Date.now() + 86_400_000), 0);
  await advanceClock(org, 86_400);
  await idle(world);
  expect(receiversOf(mail, mailing.message.subject!)).toEqual(readers.map(([email]) => email));
});

test('somebody who comes by a node twice gets its message twice, and the timeline tells both', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const [[email, person]] = [...(await newReaders(org, 1))] as [[string, string]];
  const mailing = await newMailing(world, org);
  await Promise.all([add(world, org, mailing, [person]), add(world, org, mailing, [person])]);
  await over(world, mailing);
  expect(receiversOf(mail, mailing.message.subject!)).toEqual([email, email]);
  const { body } = await org.rest(`GET /v1/people/${person}/events`);
  const { workflow_id, node, message } = mailing;
  const told = body.events.filter(
    ({ event_name }: { event_name: string }) => event_name === '$svc_email_sent',
  );
  expect(told.map(({ custom_properties }: { custom_properties: unknown }) => custom_properties)).toEqual([
    { workflow_id, node, subject: message.subject },
    { workflow_id, node, subject: message.subject },
  ]);
  expect(new Set(body.events.map(({ id }: { id: string }) => id)).size).toBe(body.total);
});

test('what a lane had in hand when it died is uncertain, and nothing else is', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 150);
  const mailing = await newMailing(world, org);
  await world.restate!.stop('SIGKILL');
  await add(world, org, mailing, readers.values());
  const { id } = await rowOf(world, mailing);
  const claim = '01900000-0000-7000-8000-000000000000';
  await inService(world, org, (work) => claimWindow(work, { broadcast: id, lane: 0, claim, size: 64 }));
  await world.restate!.start();
  await over(world, mailing);
  expect(await outcomesOf(world, id)).toEqual({ sent: 86, 'uncertain interrupted': 64 });
  expect(new Set(receiversOf(mail, mailing.message.subject!)).size).toBe(86);
  await expectBalanced(world, id);
});

test('an engine that loses all it knew leaves nobody out', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = await newReaders(org, 200);
  const mailing = await newMailing(world, org);
  mail.thinkMs = () => 40;
  await add(world, org, mailing, readers.values());
  const got = () => receiversOf(mail, mailing.message.subject!);
  await expect.poll(() => got().length, { timeout: 60_000 }).toBeGreaterThan(60);
  await restartEngine(world, { empty: true });
  mail.thinkMs = () => 0;
  await advanceClock(org, 61);
  const swept = async () => {
    await sweep(world.database, new Date(), 0);
    return (await rowOf(world, mailing)).status;
  };
  await expect.poll(swept, { timeout: 60_000, interval: 300 }).toBe('sent');
  const { sent = 0, 'uncertain interrupted': uncertain = 0 } = await outcomesOf(
    world,
    (await rowOf(world, mailing)).id,
  );
  expect(sent + uncertain).toBe(200);
  expect(uncertain).toBeLessThanOrEqual(2 * 64);
  expect(got()).toHaveLength(new Set(got()).size);
}, 240_000);

const reading = (field: string) => ({
  variable: `{{context.root_context.${field}}}`,
  fallback: 'none',
  template: valueMark,
  date_format: null,
  text_format: null,
});

test('a message tells its webinar as it is at hand-over, with the link of whoever reads it', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const [[email, person]] = [...(await newReaders(org, 1))] as [[string, string]];
  const webinar_id = await newWebinar(world, org, { title: 'The old title' });
  await register(world, org, webinar_id, person, { join_url: 'https://meet.example.org/own' });
  const mailing = await newMailing(world, org, {
    webinar_id,
    html: '<p>{{var_title}} at {{var_link}}</p>',
    variables: {
      var_title: reading('webinar_title'),
      var_link: reading('join_url'),
    },
  });
  await add(world, org, mailing, [person]);
  await over(world, mailing);
  await setWebinar(world, webinar_id, { title: 'The new title' });
  await add(world, org, mailing, [person]);
  await over(world, mailing);
  const bodies = mail.mails.filter(({ to }) => to === email).map(({ body }) => body.replaceAll('=\r\n', ''));
  expect(bodies[0]).toContain('The old title at https://meet.example.org/own');
  expect(bodies[1]).toContain('The new title at https://meet.example.org/own');
});
