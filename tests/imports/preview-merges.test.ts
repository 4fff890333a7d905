import { expect, test } from 'vitest';
import type { ImportId } from '../../src/kernel/ids.ts';
import { withRows } from '../support/import.ts';
import { commit, preview, tokenOf } from '../support/import-preview.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { takeChunk } from './committing.ts';

const world = useWorld();
const mapping = { mail: 'email', phone: 'phone', ext: 'external_user_id', first: 'first_name' };

/** Two people whom one row of three joins. */
async function arranged() {
  const org = await world().newOrg();
  const ann = await org.person({ email: 'ann@example.com' });
  const bob = await org.person({ phone: '+15550002', first_name: 'Bob' });
  const id = await withRows(org, mapping, [
    { mail: 'new@example.com' },
    { mail: 'ann@example.com', phone: '+15550002', ext: 'x9' },
    { ext: 'x9', first: 'Nine' },
  ]);
  return { org, ann, bob, id };
}

async function runThrough(org: TestOrg, id: string): Promise<void> {
  for (let at = 0; at < 9; at++) {
    const chunk = await takeChunk(world(), org, id as ImportId);
    if (chunk?.outcome === 'done') return;
  }
  throw new Error('it does not end');
}

test('IMP-059 it reports rows that would merge two or more existing people, and whom', async () => {
  const { org, ann, bob, id } = await arranged();
  expect(await preview(org, id)).toMatchObject({
    merging_rows: 1,
    first_merging_rows: [{ row: 2, person_ids: [ann, bob] }],
  });
});

test('a row may merge somebody whom an earlier row makes: only people who exist are named', async () => {
  const org = await world().newOrg();
  const ann = await org.person({ email: 'ann@example.com' });
  const id = await withRows(org, mapping, [
    { ext: 'x1' },
    { mail: 'ann@example.com', ext: 'x1' },
    { ext: 'x2', phone: '+15550003' },
    { mail: 'new@example.com' },
    { mail: 'new@example.com', phone: '+15550003' },
    { ext: 'x1', first: 'Ann' },
  ]);
  expect(await preview(org, id, 'allow')).toMatchObject({
    people_to_create: 3,
    people_to_update: 0, // the external id is looked up first, so whoever has it survives
    people_merged_away: 2,
    joined: 1, // row 5
    merging_rows: 1,
    first_merging_rows: [{ row: 2, person_ids: [ann] }],
  });
});

test('at most twenty merging rows are shown, all are counted', async () => {
  const org = await world().newOrg();
  await org.person({ email: 'ann@example.com' });
  await org.person({ phone: '+15550002' });
  const rows = Array.from({ length: 25 }, () => ({ mail: 'ann@example.com', phone: '+15550002' }));
  const { merging_rows, first_merging_rows } = await preview(org, await withRows(org, mapping, rows));
  expect([merging_rows, first_merging_rows.length]).toEqual([25, 20]);
});

test('IMP-060 merges is block, skip_rows or allow, and block when left out', async () => {
  const { org, id } = await arranged();
  for (const merges of ['block', 'skip_rows', 'allow']) await preview(org, id, merges);
  expect(await preview(org, id)).toEqual(await preview(org, id, 'block'));
  for (const merges of ['merge', '', null, true]) {
    const { status, body } = await org.rest(`POST /v1/imports/${id}/preview`, { merges });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
  }
});

test('IMP-061 with block a merging row means no token, and its numbers leave such rows out', async () => {
  const { org, id } = await arranged();
  const { blocked, commit_token, expires_at, ...numbers } = await preview(org, id, 'block');
  expect([commit_token, expires_at]).toEqual([null, null]);
  expect(blocked).toMatch(/1 rows? .*skip_rows.*allow/s);
  expect(await preview(org, id, 'skip_rows')).toMatchObject(numbers);
});

test('IMP-062 with skip_rows a token is issued and the merging rows are left out', async () => {
  const { org, ann, bob, id } = await arranged();
  expect(await preview(org, id, 'skip_rows')).toMatchObject({
    blocked: null,
    people_to_create: 2,
    people_to_update: 0,
    people_unchanged: 0,
    people_merged_away: 0,
    merging_rows: 1,
  });
  const { status, body } = await commit(org, await tokenOf(org, id, 'skip_rows'));
  expect([status, body]).toEqual([200, { import_id: id, status: 'committing' }]);
  await runThrough(org, id);
  const { body: seen } = await org.rest(`GET /v1/imports/${id}?outcome=skipped`);
  expect(seen).toMatchObject({ status: 'completed', succeeded: 2, skipped: 1, people_merged: 0 });
  expect(seen.failed_rows).toMatchObject([{ row: 2, code: 'merges' }]);
  for (const person of [ann, bob]) expect((await org.rest(`GET /v1/people/${person}`)).status).toBe(200);
});

test('IMP-063 with allow a token is issued, one person is kept and the others are gone for good', async () => {
  const { org, ann, bob, id } = await arranged();
  expect(await preview(org, id, 'allow')).toMatchObject({
    blocked: null,
    people_to_create: 1,
    people_to_update: 1,
    people_merged_away: 1,
    merging_rows: 1,
  });
  expect((await commit(org, await tokenOf(org, id, 'allow'))).status).toBe(200);
  await runThrough(org, id);
  const { body } = await org.rest(`GET /v1/people/${ann}`);
  expect(body.person).toMatchObject({
    first_name: 'Bob',
    primary_phone: '+15550002',
    external_user_id: 'x9',
  });
  const gone = await org.rest(`GET /v1/people/${bob}`);
  expect([gone.status, gone.body.merged_into]).toEqual([404, ann]);
});

test('IMP-064 when nothing blocks there is a token, good for an hour', async () => {
  const org = await world().newOrg();
  const id = await withRows(org, mapping, [{ mail: 'new@example.com' }]);
  const still = world().clock.now();
  world().clock.now = () => still;
  try {
    const { blocked, commit_token, expires_at } = await preview(org, id);
    expect([blocked, typeof commit_token]).toEqual([null, 'string']);
    const { body: clock } = await org.rest('GET /v1/test-clock');
    expect(Date.parse(expires_at) - Date.parse(clock.test_clock.now)).toBe(3_600_000);
  } finally {
    world().clock.now = () => new Date();
  }
});

test('whoever brings a remembered address is told of as suppressed again, not as opting out', async () => {
  const org = await world().newOrg();
  const gone = await org.person({ email: 'gone@example.com', phone: '+15550000042' });
  await org.rest(`PATCH /v1/people/${gone}/opt-outs`, { email_opt_out: true, sms_opt_out: true });
  await org.rest(`DELETE /v1/people/${gone}?drop_suppression=true`);
  const id = await withRows(org, { ...mapping, out: 'unsubscribed_from_emails' }, [
    { mail: 'gone@example.com', out: 'yes' },
    { mail: 'other@example.com', phone: '+1 555 000-0042', out: 'yes' },
    { mail: 'third@example.com', out: 'no' },
  ]);
  expect(await preview(org, id)).toMatchObject({
    people_to_create: 3,
    people_to_opt_out: 1,
    suppressed_again: 2,
  });
});
