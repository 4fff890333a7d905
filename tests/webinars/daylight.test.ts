import { describe, expect, test } from 'vitest';
import { root } from '../content/paths.ts';
import { newDraft, setLayout } from '../support/broadcast.ts';
import { newSender } from '../support/sender-row.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { useWorld } from '../support/world.ts';
import { isLong } from '../support/volume.ts';
import {
  anchored,
  days,
  goTo,
  minutes,
  newRegistrants,
  pathsOf,
  plus,
  reschedule,
  setTo,
  stepAt,
  waitingWorkflow,
} from './waiting.ts';

const world = useWorld();

/** A webinar at ten in the morning on the day of a change, and what clocks there show a day of elapsed time before. */
const changes = [
  ['Europe/Paris', '2031-03-30T08:00:00.000Z', '10:00 +02:00', '09:00 +01:00'],
  ['Europe/Paris', '2031-10-26T09:00:00.000Z', '10:00 +01:00', '11:00 +02:00'],
  ['America/New_York', '2031-03-09T14:00:00.000Z', '10:00 -04:00', '09:00 -05:00'],
  ['America/New_York', '2031-11-02T15:00:00.000Z', '10:00 -05:00', '11:00 -04:00'],
  // Its clocks change by half an hour.
  ['Australia/Lord_Howe', '2031-04-05T23:30:00.000Z', '10:00 +10:30', '10:30 +11:00'],
  ['Australia/Lord_Howe', '2031-10-04T23:00:00.000Z', '10:00 +11:00', '09:30 +10:30'],
] as const;

/** What clocks in a zone show, by the runtime's own tables. */
function shownIn(zone: string, at: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'longOffset',
  });
  const part = (type: string) => format.formatToParts(new Date(at)).find((one) => one.type === type)?.value;
  return `${part('hour')}:${part('minute')} ${part('timeZoneName')?.replace('GMT', '')}`;
}

/** The gate tries a day of 23 hours, one of 25, and one that differs by half an hour. */
const tried = isLong ? changes : [changes[0], changes[3], changes[4]];

describe.each(tried)('in %s, a webinar at %s', (timezone, start, atStart, dayBefore) => {
  test('a wait of a day before ends 24 hours before, whatever the clocks there show', async () => {
    const org = await world().newOrg();
    const { id } = await createWebinar(org, { start_time: start, timezone });
    await waitingWorkflow(org, id, anchored('w', 'start', -1440));
    await newRegistrants(world(), org, id, 1);
    const due = plus(start, -days(1));
    expect(await setTo(world(), id)).toBe(due);
    expect([shownIn(timezone, start), shownIn(timezone, due)]).toEqual([atStart, dayBefore]);
    await goTo(world(), org, due, id);
    const [run] = await pathsOf(world(), id);
    expect(stepAt(run!.path, 'w')).toEqual({ node: 'w', at: due, did: 'waited' });
  });

  test('RSC-005 RSC-006 a move over the change keeps offsets as elapsed time, there and back', async () => {
    const org = await world().newOrg();
    const before = plus(start, -days(7)); // a week of 168 hours, so at another hour by the clocks there
    const { id } = await createWebinar(org, { start_time: before, timezone, duration_minutes: 90 });
    await waitingWorkflow(org, id, anchored('before', 'start', -1440));
    await waitingWorkflow(org, id, anchored('after', 'end', 1440));
    await newRegistrants(world(), org, id, 1);
    expect(await reschedule(org, id, start)).toBe(2);
    expect(await setTo(world(), id)).toBe(plus(start, -days(1)));
    expect(await reschedule(org, id, before)).toBe(2);
    expect(await setTo(world(), id)).toBe(plus(before, -days(1)));
    expect(await reschedule(org, id, start)).toBe(2);
    await goTo(world(), org, plus(start, -days(1)), id);
    expect(await setTo(world(), id)).toBe(plus(start, days(1) + minutes(90)));
  });

  test('emails and texts show the time there, on the day and on the days around it', async () => {
    const org = await world().newOrg();
    const { id } = await createWebinar(org, { start_time: start, timezone });
    await registerFor(org, id, { email: 'ada@example.com', phone: '+15550100123' });
    const drafts = await draftBoth(org, id);
    const shown: string[] = [];
    for (const day of [-1, 0, 1]) {
      const at = plus(start, days(day));
      await reschedule(org, id, at);
      const text = `It begins at ${shownIn(timezone, at)}.`;
      expect(await rendered(org, drafts.email)).toContain(text);
      expect(await rendered(org, drafts.sms)).toBe(text);
      shown.push(shownIn(timezone, at));
    }
    expect(shown).toEqual([dayBefore, atStart, atStart]);
  });
});

test('an hour that comes twice is told apart: the same wall clock, another offset', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org, { start_time: '2031-10-26T00:30:00Z', timezone: 'Europe/Paris' });
  await registerFor(org, id, { email: 'ada@example.com', phone: '+15550100123' });
  await waitingWorkflow(org, id, anchored('w', 'start', -15));
  await newRegistrants(world(), org, id, 1);
  const { sms } = await draftBoth(org, id);
  expect(await rendered(org, sms)).toBe('It begins at 02:30 +02:00.');
  expect(await setTo(world(), id)).toBe('2031-10-26T00:15:00.000Z');
  expect(await reschedule(org, id, '2031-10-26T02:30:00+01:00')).toBe(1);
  expect(await rendered(org, sms)).toBe('It begins at 02:30 +01:00.');
  expect(await setTo(world(), id)).toBe('2031-10-26T01:15:00.000Z');
});

test('a webinar that goes on over the change ends so many minutes later, not by the clocks on the wall', async () => {
  const org = await world().newOrg();
  const { id } = await createWebinar(org, {
    start_time: '2031-03-30T01:30:00+01:00',
    timezone: 'Europe/Paris',
    duration_minutes: 60,
  });
  await waitingWorkflow(org, id, anchored('w', 'end', 0));
  await newRegistrants(world(), org, id, 1);
  expect(await setTo(world(), id)).toBe('2031-03-30T01:30:00.000Z');
  expect(shownIn('Europe/Paris', '2031-03-30T01:30:00.000Z')).toBe('03:30 +02:00');
});

test('another zone moves no moment, only how messages write it', async () => {
  const org = await world().newOrg();
  const start = '2031-03-30T08:00:00.000Z';
  const { id } = await createWebinar(org, { start_time: start, timezone: 'Europe/Paris' });
  await registerFor(org, id, { email: 'ada@example.com', phone: '+15550100123' });
  await waitingWorkflow(org, id, anchored('w', 'start', -1440));
  await newRegistrants(world(), org, id, 1);
  const { sms } = await draftBoth(org, id);
  expect(await rendered(org, sms)).toBe('It begins at 10:00 +02:00.');
  await org.rest(`PATCH /v1/webinars/${id}`, { timezone: 'America/New_York' });
  expect(await rendered(org, sms)).toBe('It begins at 04:00 -04:00.');
  expect(await setTo(world(), id)).toBe(plus(start, -days(1)));
});

async function draftBoth(org: TestOrg, webinar_id: string): Promise<{ email: string; sms: string }> {
  await setLayout(org);
  const variables = {
    var_at: { variable: root('webinar_start_time'), fallback: 'some time', date_format: 'HH:mm xxx' },
  };
  const tied = { audience: 'webinar', webinar_id, variables };
  const email = await newDraft(org, {
    ...tied,
    subject: 'Soon',
    html: '<p>It begins at {{var_at}}.</p>',
    sender_id: await newSender(world(), org),
  });
  const sms = await newDraft(org, { ...tied, channel: 'sms', message_body: 'It begins at {{var_at}}.' });
  return { email: email.id, sms: sms.id };
}

async function rendered(org: TestOrg, broadcast: string): Promise<string> {
  const { status, body } = await org.rest(`POST /v1/broadcasts/${broadcast}/preview`, {});
  expect(status).toBe(200);
  return body.text;
}
