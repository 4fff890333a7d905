import { expect, test } from 'vitest';
import { mostMerged } from '../../src/domain/people/identify/identify-many.ts';
import type { ImportId } from '../../src/kernel/ids.ts';
import { useWorld } from '../support/world.ts';
import { withRows } from '../support/import.ts';
import { committing, takeChunk } from './committing.ts';

const world = useWorld();

test('IMP-063 a chunk ends after some merges, so that nobody is held for long, and every row is taken once', async () => {
  const org = await world().newOrg();
  const pairs = mostMerged * 2 + 7;
  const numbers = Array.from({ length: pairs }, (_, at) => at);
  const gone = {
    column: 'Tier',
    key: 'tier',
    name: 'Tier',
    type: 'string' as const,
    config_id: '01900000-0000-7000-8000-000000000001',
  };
  // First two people for each number, then a row that makes them one. Now and then one with a value for a property that
  // is gone: also such a row must be counted by the chunk that takes it, and by no other.
  const rows = [
    ...numbers.map((at) => ({ email: `m${at}@example.com`, values: [null] })),
    ...numbers.map((at) => ({ phone: `+1555000${1_000 + at}`, values: [null] })),
    ...numbers.map((at) => ({
      email: `m${at}@example.com`,
      phone: `+1555000${1_000 + at}`,
      values: [at % 10 === 3 ? 'gold' : null],
    })),
  ];
  const failing = numbers.filter((at) => at % 10 === 3).length;
  const id = await committing(world(), org, { rows, merges: 'allow', properties: [gone] });
  const seen = [];
  for (let chunk = await takeChunk(world(), org, id); ; chunk = await takeChunk(world(), org, id)) {
    const { body } = await org.rest(`GET /v1/imports/${id}`);
    expect(body.succeeded + body.failed + body.skipped + body.pending).toBe(rows.length);
    seen.push(body.people_merged);
    if (chunk?.outcome !== 'more') break;
    expect(chunk.rows).toBeGreaterThan(0);
  }
  const merged = pairs - failing;
  expect(seen).toEqual([mostMerged, merged]);
  const { body } = await org.rest(`GET /v1/imports/${id}`);
  expect(body).toMatchObject({
    status: 'completed_with_failures',
    succeeded: rows.length - failing,
    failed: failing,
    total: failing,
    people_created: 2 * pairs,
    people_merged: merged,
  });
  expect((await org.rest('GET /v1/people')).body.total).toBe(2 * pairs - merged);
});

test('IMP-063 merges are allowed to the rows the preview showed; one that has come to merge since fails', async () => {
  const org = await world().newOrg();
  const identify = (person: object) => org.rest('POST /v1/people/identify', person);
  for (const name of ['a', 'b']) {
    await identify({ email: `${name}@example.com` });
    await identify({ external_user_id: name });
  }
  const rows = ['a', 'b'].map((name) => ({ email: `${name}@example.com`, external_user_id: name }));
  const id = await committing(world(), org, { rows, merges: 'allow', mayMerge: [1] });
  await takeChunk(world(), org, id);
  const { body } = await org.rest(`GET /v1/imports/${id}`);
  expect(body).toMatchObject({ succeeded: 1, failed: 1, people_merged: 1 });
  expect(body.failed_rows).toMatchObject([{ row: 2, code: 'merges' }]);
  expect((await org.rest('GET /v1/people')).body.total).toBe(3);
});

test('IMP-063 an allowed merge that the preview did not show is not made, though the preview of another was', async () => {
  const org = await world().newOrg();
  const { body: kept } = await org.rest('POST /v1/people/identify', { email: 'kept@example.com' });
  const mapping = { email: 'email', ext: 'external_user_id' };
  const id = await withRows(org, mapping, [{ email: 'kept@example.com', ext: 'kept-1' }]);
  const preview = await org.rest(`POST /v1/imports/${id}/preview`, { merges: 'allow' });
  expect(preview.body.merging_rows).toBe(0);
  expect(
    (await org.rest('POST /v1/imports/commit', { commit_token: preview.body.commit_token })).status,
  ).toBe(200);
  // Between the commit and its run somebody else comes to hold what the row attaches.
  const { body: other } = await org.rest('POST /v1/people/identify', { external_user_id: 'kept-1' });
  await takeChunk(world(), org, id as ImportId);
  const { body } = await org.rest(`GET /v1/imports/${id}`);
  expect(body).toMatchObject({ status: 'failed', failed: 1, people_merged: 0 });
  for (const { person_id } of [kept, other])
    expect((await org.rest(`GET /v1/people/${person_id}`)).status).toBe(200);
});
