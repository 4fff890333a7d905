import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { addToMailings, type Mailing } from '../../src/domain/broadcasts/sending/mailing.ts';
import { checkBody } from '../../src/domain/content/body/check-body.ts';
import type { Variables } from '../../src/domain/content/variables/definition.ts';
import type { PersonId } from '../../src/kernel/ids.ts';

import { newSender } from '../support/sender-row.ts';
import { inService } from '../support/in-service.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';

interface Wanted {
  readonly webinar_id?: string | null;
  readonly html?: string;
  readonly variables?: Variables;
  readonly sender_id?: string;
  readonly node?: string;
}

/** A workflow that sends an email at one of its nodes, with a subject of its own. */
export async function newMailing(world: World, org: TestOrg, wanted: Wanted = {}): Promise<Mailing> {
  const { webinar_id = null, html = '<p>Hello there</p>', variables = {}, node = 'remind' } = wanted;
  const checked = await checkBody('an organization', 'html', html);
  if (!('body' in checked)) throw new Error(JSON.stringify(checked.findings));
  const workflow_id = randomUUID();
  await world.admin.query(
    `insert into workflows (org_id, id, name, graph, created_at, updated_at) values ($1, $2, 'Reminders', '{}', now(), now())`,
    [org.id, workflow_id],
  );
  const sender_id = wanted.sender_id ?? (await newSender(world, org));
  const message = {
    channel: 'email',
    subject: `Mailing ${randomUUID()}`,
    preview_text: null,
    html,
    message_body: null,
    body: checked.body,
    variables,
    sender_id,
  } as const;
  return { workflow_id, version: 1, node, webinar_id, message };
}

/** A text that a workflow sends at one of its nodes. */
export async function newTextMailing(
  world: World,
  org: TestOrg,
  webinar_id: string | null,
): Promise<Mailing> {
  const mailing = await newMailing(world, org, { webinar_id });
  const message_body = 'We begin soon';
  const checked = await checkBody('an organization', 'text', message_body);
  if (!('body' in checked)) throw new Error(JSON.stringify(checked.findings));
  const none = { subject: null, html: null, sender_id: null };
  return {
    ...mailing,
    message: { ...mailing.message, ...none, channel: 'sms', message_body, body: checked.body },
  };
}

/** As a release does it: people held in the order of their ids, a run for each. Answers the runs, by person. */
export async function add(
  world: World,
  org: TestOrg,
  mailing: Mailing,
  people: Iterable<string>,
): Promise<Map<string, string>> {
  const runs = new Map([...people].toSorted().map((person) => [person, randomUUID()]));
  await inService(world, org, async (work) => {
    await work.db
      .selectFrom('people')
      .select('id')
      .where('org_id', '=', org.id)
      .where('id', 'in', [...runs.keys()])
      .orderBy('id')
      .forKeyShare()
      .execute();
    const to = [...runs].map(([person, run_id]) => ({ person_id: person as PersonId, run_id }));
    await addToMailings(work, [{ mailing, to }]);
  });
  return runs;
}

export interface MailingRow {
  readonly id: string;
  readonly status: string;
  readonly error: string | null;
  readonly recipients: number;
  readonly sent: number;
}

export async function rowOf({ admin }: World, { workflow_id, node }: Mailing): Promise<MailingRow> {
  const { rows } = await admin.query(
    `select id, status, error, recipients::int, sent::int from broadcasts where workflow_id = $1 and node = $2`,
    [workflow_id, node],
  );
  expect(rows).toHaveLength(1);
  return rows[0];
}

/** Waits until nobody is left to be sent to, and answers the row. */
export async function over(world: World, mailing: Mailing, timeout = 60_000): Promise<MailingRow> {
  const statusOf = async () => (await rowOf(world, mailing)).status;
  await expect.poll(statusOf, { timeout, interval: 25 }).toBe('sent');
  return rowOf(world, mailing);
}
