import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { auditOf } from '../../support/audit.ts';
import { newSending } from '../../support/arrange-ledger.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';

const world = useWorld();

const take = (org: TestOrg, id: string, query = ''): Promise<Response> =>
  fetch(`${org.url}/v1/broadcasts/${id}/recipients/export${query}`, { headers: org.credential });

const rowsOf = async (answer: Response): Promise<Record<string, string>[]> =>
  parse(await answer.text(), { columns: true }) as Record<string, string>[];

test('everybody a list holds is in the file once, in its order, and the export is in the audit log', async () => {
  const org = await world().newOrg();
  const id = await newSending(world(), org);
  const ada = await org.person({ email: 'ada@example.com', first_name: '=1+1' });
  await world().admin.query(
    `insert into deliveries (org_id, broadcast_id, person_id, state, reason, due_at, opened_at)
     select $1, $2, case n when 1 then $3::uuid else gen_random_uuid() end,
       case when n % 2 = 0 then 'skipped' else 'sent' end, case when n % 2 = 0 then 'opted_out' end,
       timestamptz '2026-03-02T09:00:00Z' + n * interval '1 s', case when n = 1 then now() end
     from generate_series(1, 4500) n`,
    [org.id, id, ada],
  );
  await world().admin.query('update broadcasts set sent = 2250, pending = 0 where id = $1', [id]);
  const answer = await take(org, id);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toContain('recipients.csv');
  const rows = await rowsOf(answer);
  expect(rows.length).toBe(4_500);
  expect(new Set(rows.map(({ person_id }) => person_id)).size).toBe(4_500);
  const opened = await rowsOf(await take(org, id, '?opened=true'));
  expect(opened).toMatchObject([
    { person_id: ada, first_name: "'=1+1", primary_email: 'ada@example.com', outcome: 'sent' },
  ]);
  expect((await rowsOf(await take(org, id, '?reason=opted_out'))).length).toBe(2_250);
  expect(await auditOf(world(), org, 'export_broadcast_recipients')).toMatchObject(
    Array.from({ length: 3 }, () => ({ ids: { broadcast_id: id } })),
  );
});

test('it needs both permissions, and what is wrong is told before anything is sent', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const id = await newSending(world(), org);
  for (const permission of ['broadcasts.read', 'people.read'] as const)
    expect((await take(await world().newKey(org, [permission]), id)).status).toBe(403);
  const both = await world().newKey(org, ['broadcasts.read', 'people.read']);
  expect((await take(both, id)).status).toBe(200);
  expect((await take(other, id)).status).toBe(404);
  const wrong = await take(org, id, '?outcome=splendid');
  expect(await wrong.json()).toMatchObject({ status: 400, errors: [{ pointer: '/outcome' }] });
  expect((await take(org, id, '?limit=5')).status).toBe(400);
});
