import { afterAll, beforeEach, expect, test } from 'vitest';
import { newSender } from '../support/sender-row.ts';
import { clockOf, moveClock, useSending } from '../support/sending.ts';
import { newSendingOrg } from '../support/reader-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { registerFor } from '../support/webinar.ts';
import { inLine, liveWorkflow, onRegistration } from '../support/workflow.ts';
import { startZoom } from '../support/zoom.ts';
import { attendees, hour, linkedWebinar, minute, registrationOf } from './setting.ts';

const zoom = await startZoom();
afterAll(() => zoom.stop());
const sending = useSending({ ZOOM_API_URL: zoom.url, ZOOM_OAUTH_URL: zoom.url });
const soon = { timeout: 60_000, interval: 50 };

let org: TestOrg;
beforeEach(async () => {
  zoom.behave = () => undefined;
  zoom.calls.length = 0;
  org = await newSendingOrg(sending().world);
});

const stateOf = async (registration: string): Promise<string> =>
  (await registrationOf(sending().world, registration)).push_state;

/** A live workflow whose first message has the personal link. */
async function confirming(webinar: string): Promise<string> {
  const subject = `Your link ${webinar}`;
  await liveWorkflow(
    org,
    inLine(onRegistration(webinar), {
      id: 'confirm',
      type: 'send_email',
      subject,
      html: '<p><a href="{{link_var_join}}">Join</a> or {{var_said}}</p>',
      variables: {
        link_var_join: {
          variable: '{{context.root_context.registration_join_url}}',
          fallback: 'https://example.com/later',
        },
        var_said: { variable: '{{context.root_context.registration_join_url}}', fallback: 'no link yet' },
      },
      sender_id: await newSender(sending().world, org),
    }),
  );
  return subject;
}

const mailsOf = (subject: string) => sending().mail.mails.filter((mail) => mail.subject === subject);
/** Without its quoted-printable folds. */
const textOf = (subject: string): string =>
  mailsOf(subject)[0]!
    .body.replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

test('REG-003 REG-004 WFL-010 the link comes from the platform moments later, and the first message has it', async () => {
  const { webinar, event } = await linkedWebinar(org, zoom);
  const subject = await confirming(webinar);
  const { registration_id } = await registerFor(org, webinar, {
    email: 'ada@example.com',
    first_name: 'Ada',
  });
  await expect.poll(() => stateOf(registration_id), soon).toBe('registered');
  const { join_url } = zoom.registrants(event).get('ada@example.com')!;
  expect(await registrationOf(sending().world, registration_id)).toMatchObject({ join_url });
  await expect.poll(() => mailsOf(subject).length, soon).toBe(1);
  expect(textOf(subject)).toContain(join_url);
});

test('a token that ended, a limit of the second and a passing error are got over by themselves', async () => {
  const { webinar } = await linkedWebinar(org, zoom);
  let faults = 0;
  zoom.behave = ({ what }) => {
    if (what !== 'register') return undefined;
    faults++;
    if (faults === 1) return 'expired';
    return faults < 4 ? { status: 429, headers: { 'retry-after': '1' } } : undefined;
  };
  const { registration_id } = await registerFor(org, webinar, { email: 'ada@example.com' });
  await expect.poll(() => stateOf(registration_id), soon).toBe('registered');
  expect(await registrationOf(sending().world, registration_id)).toMatchObject({ push_attempts: '1' });
});

test('ATT-001 attendance comes by itself half an hour after the end, and a workflow reads it', async () => {
  const start = new Date((await clockOf(org)) + 2 * hour);
  const { webinar, event } = await linkedWebinar(org, zoom, { start_time: start.toISOString() });
  const workflow = await liveWorkflow(org, {
    trigger: { ...onRegistration(webinar), next: 'after' },
    nodes: [
      { id: 'after', type: 'wait', anchor: 'end', offset_minutes: 45, next: 'split' },
      { id: 'split', type: 'attendance_split', attended: 'here', no_show: 'away' },
      { id: 'here', type: 'wait', duration_minutes: 600, next: 'done' },
      { id: 'away', type: 'wait', duration_minutes: 600, next: 'done' },
      { id: 'done', type: 'end' },
    ],
  });
  const ids: string[] = [];
  for (const email of ['here@example.com', 'away@example.com'])
    ids.push((await registerFor(org, webinar, { email })).registration_id);
  for (const id of ids) await expect.poll(() => stateOf(id), soon).toBe('registered');
  zoom.report(event, [{ registrant_id: zoom.registrants(event).get('here@example.com')!.registrant_id }]);
  await moveClock(org, start.getTime() + hour + 31 * minute);
  await expect.poll(() => attendees(sending().world, webinar), soon).toEqual(['here@example.com']);
  await moveClock(org, start.getTime() + hour + 46 * minute);
  const nodes = async () =>
    (
      await sending().world.admin.query<{ node: string }>(
        `select w.node from waits w join workflow_runs r on r.id = w.run_id
         join registrations g on g.id = r.registration_id where r.workflow_id = $1 order by g.registered_at`,
        [workflow],
      )
    ).rows.map(({ node }) => node);
  await expect.poll(nodes, soon).toEqual(['here', 'away']);
});

test('when nothing is heard of the platform, the first message goes out after two minutes without the link', async () => {
  zoom.behave = ({ what }) => (what === 'register' ? 'silent' : undefined);
  const { webinar } = await linkedWebinar(org, zoom);
  const subject = await confirming(webinar);
  await registerFor(org, webinar, { email: 'ada@example.com' });
  await moveClock(org, (await clockOf(org)) + 2 * minute);
  await expect.poll(() => mailsOf(subject).length, soon).toBe(1);
  expect(textOf(subject)).toContain('no link yet');
});
