import { expect } from 'vitest';
import { ended, moveClock, type Scheduled, type Sending, scheduleEmail } from '../../support/sending.ts';
import { newSendingOrg } from '../../support/reader-rows.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { isLong } from '../../support/volume.ts';

export const others = isLong ? 12 : 6;
export const readers = 50;
export const hours = 3_600;

/** A broadcast to people by the hundred, so that a slow mail server has work with them for as long as a test lasts. */
export async function scheduleLarge({ world }: Sending): Promise<Scheduled & { org: TestOrg }> {
  const org = await newSendingOrg(world);
  await world.admin.query(
    `with made as (
       insert into people (org_id, id, primary_email, primary_contact_method, created_at, updated_at)
       select $1, new_id(now()), 'p' || n || '@example.com', 'email', now(), now() from generate_series(1, 500) n
       returning org_id, id, primary_email)
     insert into identifiers (org_id, id, person_id, type, value, is_contact_method, is_primary_for_type, created_at)
     select org_id, new_id(now()), id, 'email', primary_email, true, true, now() from made`,
    [org.id],
  );
  return { org, ...(await scheduleEmail(world, org)) };
}

/** Lets its time come, past that which it would be spread over. */
export const letCome = (org: TestOrg, { sendAt }: Scheduled): Promise<unknown> =>
  moveClock(org, sendAt + 4 * hours * 1_000);

/** Lets its time come; answers how many messages of others the server took before its first and before its last. */
export async function sendBeside({ mail: { mails } }: Sending, org: TestOrg, small: Scheduled) {
  const from = mails.length;
  await letCome(org, small);
  const { counts } = await ended(org, small.id, 120_000);
  expect(counts).toMatchObject({ recipients: readers, sent: readers });
  const first = mails.findIndex((mail) => mail.subject === small.subject);
  const last = mails.findLastIndex((mail) => mail.subject === small.subject);
  return { beforeFirst: first - from, beforeLast: last - from - (readers - 1) };
}
