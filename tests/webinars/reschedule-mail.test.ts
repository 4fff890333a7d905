import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { root } from '../content/paths.ts';
import { moveClock, receiversOf, settled, useSending } from '../support/sending.ts';
import { newSendingOrg } from '../support/reader-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { inLine, liveWorkflow, onRegistration, emailNode } from '../support/workflow.ts';
import { idle } from '../support/idle.ts';
import { anchored, days, minutes, pathsOf, plus, reschedule, waitsOf } from './waiting.ts';

const sending = useSending();

interface Arranged {
  readonly org: TestOrg;
  readonly webinar: string;
  readonly start: string;
  readonly emails: readonly string[];
  readonly reminder: string;
  readonly thanks: string;
}

/** A reminder an hour before and thanks ten minutes after the end, for five who are registered and wait. */
async function arrange({ past }: { past?: string } = {}): Promise<Arranged> {
  const { world } = sending();
  const org = await newSendingOrg(world);
  const start = '2031-06-12T15:00:00.000Z';
  const { id: webinar } = await createWebinar(org, {
    start_time: start,
    duration_minutes: 30,
    timezone: 'Europe/Paris',
  });
  const [reminder, thanks] = [`Soon ${randomUUID()}`, `Thanks ${randomUUID()}`];
  const graph = inLine(
    onRegistration(webinar),
    { ...anchored('hour_before', 'start', -60), ...(past !== undefined && { past }) },
    await emailNode(world, org, 'remind', {
      subject: reminder,
      html: '<p>It begins on {{var_at}}.</p>',
      variables: {
        var_at: { variable: root('webinar_start_time'), fallback: 'a day', date_format: 'd MMMM HH:mm' },
      },
    }),
    anchored('afterwards', 'end', 10),
    await emailNode(world, org, 'thank', { subject: thanks }),
  );
  await liveWorkflow(org, graph);
  const emails = Array.from({ length: 5 }, (_, index) => `r${index}-${randomUUID().slice(0, 8)}@example.com`);
  for (const email of emails) await registerFor(org, webinar, { email });
  await expect
    .poll(async () => (await waitsOf(world, webinar)).map(({ node }) => node), { timeout: 60_000 })
    .toEqual(emails.map(() => 'hour_before'));
  return { org, webinar, start, emails, reminder, thanks };
}

const got = (subject: string): string[] => receiversOf(sending().mail, subject).toSorted();
async function arrives(subject: string, emails: readonly string[]): Promise<void> {
  await expect.poll(() => got(subject), { timeout: 60_000 }).toEqual(emails.toSorted());
}

test('RSC-005 RSC-006 however often it moved, each registrant gets each message once, at the time it ended up with', async () => {
  const { org, webinar, start, emails, reminder, thanks } = await arrange();
  const { world, mail } = sending();
  for (const by of [3, -2, 10, 1, 5]) expect(await reschedule(org, webinar, plus(start, days(by)))).toBe(5);
  const moved = plus(start, days(5));

  // The times it no longer has pass, and nothing goes out.
  await moveClock(org, Date.parse(plus(start, days(3))));
  await idle(world);
  expect(got(reminder)).toEqual([]);
  await moveClock(org, Date.parse(plus(moved, -minutes(60))));
  await arrives(reminder, emails);
  const written = mail.mails
    .filter(({ subject }) => subject === reminder)
    .map(({ body }) => body.replaceAll('=20=\r\n', ' ').replaceAll('=\r\n', ''));
  for (const body of written) expect(body).toContain('It begins on 17 June 17:00.');

  // They are reminded; once more it moves, and what is left of it moves along.
  const later = plus(moved, days(1));
  expect(await reschedule(org, webinar, later)).toBe(5);
  await moveClock(org, Date.parse(plus(later, minutes(39))));
  await idle(world);
  expect(got(thanks)).toEqual([]);
  await moveClock(org, Date.parse(plus(later, minutes(40))));
  await arrives(thanks, emails);
  await settled(world, org);
  expect(got(reminder)).toEqual(emails.toSorted());
  expect((await pathsOf(world, webinar)).map(({ state, outcome }) => [state, outcome])).toEqual(
    emails.map(() => ['ended', 'completed']),
  );
});

test('brought forward past its reminder, a webinar sends it at once, or skips it where the workflow says so', async () => {
  const [atOnce, skipped] = [await arrange(), await arrange({ past: 'afterwards' })];
  for (const { org, webinar, start } of [atOnce, skipped]) {
    await moveClock(org, Date.parse(plus(start, -days(1))));
    expect(await reschedule(org, webinar, plus(start, -days(1) + minutes(20)))).toBe(5);
  }
  await arrives(atOnce.reminder, atOnce.emails);
  await expect
    .poll(async () => (await waitsOf(sending().world, skipped.webinar)).map(({ node }) => node), {
      timeout: 60_000,
    })
    .toEqual(skipped.emails.map(() => 'afterwards'));
  for (const { org, start, thanks, emails } of [atOnce, skipped]) {
    await moveClock(org, Date.parse(plus(start, -days(1) + minutes(60))));
    await arrives(thanks, emails);
  }
  expect(got(skipped.reminder)).toEqual([]);
});

test('after a webinar was canceled nobody hears of it any more', async () => {
  const { org, webinar, start, emails, reminder, thanks } = await arrange();
  const { world } = sending();
  const { body } = await org.rest(`POST /v1/webinars/${webinar}/cancel`, {});
  expect(body.ending).toBe(5);
  await expect
    .poll(async () => (await pathsOf(world, webinar)).map(({ outcome }) => outcome), { timeout: 60_000 })
    .toEqual(emails.map(() => 'webinar_canceled'));
  await moveClock(org, Date.parse(plus(start, days(1))));
  await idle(world);
  await settled(world, org);
  expect([got(reminder), got(thanks)]).toEqual([[], []]);
  expect(await waitsOf(world, webinar)).toEqual([]);
});
