import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import type { TestOrg } from '../../tests/support/test-org.ts';
import type { ShownService } from './shown-service.ts';

/** A screen that shows what the engine would have left, with what is done there before it is drawn. */
interface LaterScreen {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly act?: (page: Page) => Promise<void>;
}

// Of 200 people: what a broadcast to thousands looks like, in small.
const ends: readonly (readonly [state: string, reason: string | null, upTo: number])[] = [
  ['skipped', 'opted_out', 7],
  ['skipped', 'bounced', 11],
  ['failed', 'bounced', 15],
  ['failed', 'refused', 17],
  ['failed', 'gave_up', 18],
  ['uncertain', 'no_answer', 21],
  ['uncertain', 'interrupted', 22],
  ['sent', null, Infinity],
];

/** A plan, a held broadcast, the report of a sent one, and a live workflow with runs. */
export async function laterScreens({ org, database }: ShownService, moment: Date): Promise<LaterScreen[]> {
  const held = await makeBroadcast(org, 'What to charge for a first course');
  await sql`update broadcasts set status = 'scheduled', send_at = ${moment}::timestamptz - interval '20 minutes',
      hold_if_audience_changes_by = 10, planned_recipients = 168, planned_by = created_by, scheduled_by = created_by,
      paced_over_hours = 3, held_at = ${moment}::timestamptz - interval '20 minutes', held_recipients = 200
    where id = ${held}`.execute(database);
  const sent = await makeBroadcast(org, 'The recording and the worksheet');
  await send(database, org, sent, moment);
  const planned = await makeBroadcast(org, 'Doors close on Friday');
  const workflow = await makeRuns(org);
  return [
    {
      name: 'plan',
      path: `/broadcasts/${planned}/plan?at=${encodeURIComponent(new Date(moment.getTime() + 86_400_000).toISOString())}`,
      text: 'Schedule',
    },
    { name: 'broadcast-held', path: `/broadcasts/${held}`, text: 'It is held, and nobody has got it.' },
    { name: 'report', path: `/broadcasts/${sent}/report`, text: 'Where everyone ended up' },
    { name: 'report-content', path: `/broadcasts/${sent}`, text: 'Preview as' },
    {
      name: 'report-resend',
      path: `/broadcasts/${sent}/report`,
      text: 'Where everyone ended up',
      act: async (page) => {
        await page.getByRole('button', { name: 'Send again…' }).click();
        await page.getByRole('button', { name: /^Send again to/ }).waitFor();
      },
    },
    {
      name: 'report-list',
      path: `/broadcasts/${sent}/report?outcome=failed`,
      text: 'Where everyone ended up',
      act: async (page) => {
        const people = page.getByRole('region', { name: 'People', exact: true });
        await people.getByRole('listitem').first().waitFor();
        await people.evaluate((it) => it.scrollIntoView());
      },
    },
    { name: 'workflow-runs-live', path: `/workflows/${workflow}?view=runs`, text: 'Ada Lovelace' },
  ];
}

const asked = async (org: TestOrg, route: string, body: object) => {
  const answer = await org.rest(route, body);
  if (answer.status >= 300) throw new Error(`${route}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

async function makeBroadcast(org: TestOrg, subject: string): Promise<string> {
  const { senders } = (await org.rest('GET /v1/senders')).body;
  const { broadcast } = await asked(org, 'POST /v1/broadcasts', {
    audience: 'everyone',
    subject,
    sender_id: senders[0].id,
    html: '<p>Hello,</p><p>here is <a href="https://example.com/recording">the recording</a>.</p>',
  });
  return broadcast.id;
}

async function send(
  database: ShownService['database'],
  org: TestOrg,
  id: string,
  moment: Date,
): Promise<void> {
  await sql`insert into deliveries (org_id, broadcast_id, person_id, address, state, due_at)
    select p.org_id, ${id}, p.id, i.value, 'pending', ${moment}::timestamptz - interval '1 day'
    from people p join identifiers i on i.org_id = p.org_id and i.person_id = p.id and i.type = 'email'
    where p.org_id = ${org.id}`.execute(database);
  const { rows } = await sql<{
    id: string;
  }>`select id from deliveries where broadcast_id = ${id} order by id`.execute(database);
  for (const [at, row] of rows.entries()) {
    const [state, reason] = ends.find(([, , upTo]) => at < upTo)!;
    const isSent = state === 'sent';
    await sql`update deliveries set state = ${state}, reason = ${reason},
        sent_at = ${isSent ? new Date(moment.getTime() - 86_400_000 + at * 50_000) : null},
        delivered_at = ${isSent ? new Date(moment.getTime() - 86_000_000 + at * 50_000) : null},
        opened_at = ${isSent && at % 2 === 0 ? new Date(moment.getTime() - 80_000_000 + at * 300_000) : null},
        clicked_at = ${isSent && at % 6 === 0 ? new Date(moment.getTime() - 79_000_000 + at * 300_000) : null}
      where id = ${row.id}`.execute(database);
  }
  await sql`update broadcasts set status = 'sent', send_at = ${moment}::timestamptz - interval '1 day',
      started_at = ${moment}::timestamptz - interval '1 day', prepared_at = ${moment}::timestamptz - interval '1 day',
      finished_at = ${moment}::timestamptz - interval '21 hours', paced_over_hours = 3, planned_by = created_by,
      scheduled_by = created_by
    where id = ${id}`.execute(database);
}

async function makeRuns(org: TestOrg): Promise<string> {
  const { senders } = (await org.rest('GET /v1/senders')).body;
  const { webinars } = (await org.rest('GET /v1/webinars?limit=1&order=asc')).body;
  const { webinar } = await asked(org, 'POST /v1/webinars', {
    webinar: {
      title: 'Selling the second course',
      start_time: new Date(Date.parse(webinars[0].start_time) + 9 * 86_400_000).toISOString(),
      timezone: 'Europe/Paris',
      join_url: 'https://live.example.com/second',
    },
  });
  const letter = { type: 'send_email', html: '<p>See you there.</p>', sender_id: senders[0].id };
  const { workflow } = await asked(org, 'POST /v1/workflows', {
    name: 'Second course reminders',
    graph: {
      trigger: { type: 'webinar_registration', webinar_id: webinar.id, next: 'day-before' },
      nodes: [
        {
          id: 'day-before',
          type: 'wait',
          anchor: 'start',
          offset_minutes: -1_440,
          next: 'tomorrow',
          past: 'end',
        },
        { id: 'tomorrow', ...letter, subject: 'Tomorrow', next: 'end' },
        { id: 'end', type: 'end' },
      ],
    },
  });
  await asked(org, `POST /v1/workflows/${workflow.id}/publish`, {});
  for (const [first_name, last_name] of [
    ['Mara', 'Lindqvist'],
    ['Grace', 'Hopper'],
    ['Katherine', 'Johnson'],
    ['Ada', 'Lovelace'],
  ] as const)
    await asked(org, 'POST /v1/webinars/register', {
      webinar_id: webinar.id,
      user: { email: `${first_name.toLowerCase()}@example.com`, first_name, last_name },
    });
  return workflow.id;
}
