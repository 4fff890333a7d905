import { expect, test } from 'vitest';
import { withRows } from '../support/import.ts';
import { preview } from '../support/import-preview.ts';
import { useWorld } from '../support/world.ts';
import { holderOf, importList } from './through-engine.ts';

const world = useWorld({ engine: true });
const mapping = { Mail: 'email', Mobile: 'phone', Ref: 'external_user_id' };
const rows = [
  { Mail: 'new@example.com' },
  { Mobile: '+14155550001' },
  { Mail: 'new@example.com', Mobile: '+14155550001' },
  { Mobile: '+14155550001', Ref: 'x-1' },
];

test('DEC-003 IMP-059 a row that joins only people whom earlier rows make is counted as joined and blocks nothing', async () => {
  const org = await world().newOrg();
  for (const policy of ['block', 'skip_rows', 'allow']) {
    const told = await preview(org, await withRows(org, mapping, rows), policy);
    expect(told).toMatchObject({ joined: 1, merging_rows: 0, first_merging_rows: [], blocked: null });
    expect(told.commit_token).not.toBeNull();
  }
});

test('IMP-059 one who exists already makes it a merge', async () => {
  const org = await world().newOrg();
  const known = await org.person({ phone: '+14155550001' });
  const told = await preview(org, await withRows(org, mapping, rows));
  expect(told).toMatchObject({
    joined: 0,
    merging_rows: 1,
    first_merging_rows: [{ row: 3, person_ids: [known] }],
    commit_token: null,
  });
});

test('DEC-003 IMP-059 what was joined is one person after the commit, without a policy for merges', async () => {
  const org = await world().newOrg();
  const done = await importList(org, mapping, rows);
  expect(done).toMatchObject({ status: 'completed', succeeded: 4, failed: 0 });
  expect((await org.rest('GET /v1/people')).body.total).toBe(1);
  expect(await holderOf(world(), org, 'x-1')).toMatchObject({ primary_email: 'new@example.com' });
});
