import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { auditOf } from '../support/audit.ts';
import { newMember } from '../support/member.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const take = (org: TestOrg, query = '', signal?: AbortSignal): Promise<Response> =>
  fetch(`${org.url}/v1/people/export${query}`, {
    headers: org.credential,
    ...(signal !== undefined && { signal }),
  });

const rowsOf = async (answer: Response): Promise<Record<string, string>[]> =>
  parse(await answer.text(), { columns: true }) as Record<string, string>[];

/** People by hand: thousands of calls would take long. */
const addPeople = (org: TestOrg, count: number, letters = 0) =>
  world().admin.query(
    `insert into people (org_id, id, first_name, health_band, created_at, updated_at)
     select $1, gen_random_uuid(), rpad('P' || n, greatest($3::int, 1 + length(n::text)), 'x'), case when n % 1000 = 0 then 'power' end, now(), now()
     from generate_series(1, $2::int) n`,
    [org.id, count, letters],
  );

test('everybody whom the filters let through is in the file once, however many', async () => {
  const org = await world().newOrg();
  await addPeople(org, 4_500);
  const answer = await take(org);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toContain('people.csv');
  const rows = await rowsOf(answer);
  expect(new Set(rows.map(({ first_name }) => first_name)).size).toBe(4_500);
  expect(rows.length).toBe(4_500);
  const few = await rowsOf(await take(org, '?health_band=power'));
  expect(new Set(few.map(({ first_name }) => first_name))).toEqual(
    new Set(['P1000', 'P2000', 'P3000', 'P4000']),
  );
  const { body } = await org.rest('GET /v1/people?health_band=power&limit=1');
  expect(Object.keys(few[0]!)).toEqual([
    ...Object.keys(body.people[0]),
    'health_band',
    'email_engagement_score',
    'last_opened_at',
  ]);
  expect(await rowsOf(await take(org, '?health_band=low'))).toEqual([]);
});

test('members of a segment are exported, and an export is in the audit log', async () => {
  const org = await world().newOrg();
  await org.person({ email: 'ada@example.com' });
  await org.person({ email: 'grace@example.com', first_name: 'Grace' });
  const { body } = await org.rest('POST /v1/segments', {
    name: 'Graces',
    filters: [{ property: 'first_name', op: 'eq', value: 'Grace' }],
  });
  const rows = await rowsOf(await take(org, `?segment_id=${body.segment.id}`));
  expect(rows.map(({ primary_email }) => primary_email)).toEqual(['grace@example.com']);
  await take(org);
  expect(await auditOf(world(), org, 'export_people')).toMatchObject([
    { ids: { segment_id: body.segment.id } },
    { ids: { segment_id: [] } },
  ]);
});

test('what begins like a formula is text to a spreadsheet, and quotes come back as they were', async () => {
  const org = await world().newOrg();
  const names = ['=1+1', '+cmd|x', '-2+3', '@SUM(A1)', ' =1', '\t=1', 'Ada "the first", Lovelace\nCountess'];
  for (const [n, first_name] of names.entries())
    await org.person({ email: `p${n}@example.com`, phone: `+4670555010${n}`, first_name });
  const rows = await rowsOf(await take(org));
  for (const { first_name, primary_phone } of rows) {
    expect(first_name).not.toMatch(/^\s*[=+\-@]/);
    expect(primary_phone).toMatch(/^\+46/);
  }
  expect(rows.at(-1)!['first_name']).toBe('Ada "the first", Lovelace\nCountess');
});

test('who may not read people takes no file, a wrong filter is told before anything is sent', async () => {
  const org = await world().newOrg();
  const blind = await world().newKey(org, ['broadcasts.read']);
  expect((await take(blind)).status).toBe(403);
  const wrong = await take(org, '?health_band=splendid');
  expect(wrong.status).toBe(400);
  expect(await wrong.json()).toMatchObject({ errors: [{ pointer: '/health_band' }] });
  expect((await take(org, '?limit=5')).status).toBe(400);
  expect(await auditOf(world(), org, 'export_people')).toEqual([]);
  const viewer = await newMember(world(), org, 'viewer');
  expect((await take(viewer)).status).toBe(200);
});

test('an export ends with its client, and holds no transaction between its parts', async () => {
  const org = await world().newOrg();
  await addPeople(org, 12_000, 1_000); // more than the connection holds
  const gone = new AbortController();
  const answer = await take(org, '', gone.signal);
  const reader = answer.body!.getReader();
  await reader.read();
  const open = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`;
  const counted = async (): Promise<number> => (await world().admin.query(open)).rows[0].n;
  await expect.poll(counted).toBe(0); // the client reads no further, so nothing more is read for it
  expect((await org.rest('GET /v1/people?limit=1')).status).toBe(200);
  gone.abort();
  await reader.read().catch(() => undefined);
  await expect.poll(counted).toBe(0);
});
