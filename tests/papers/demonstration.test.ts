import { beforeAll, expect, test } from 'vitest';
import { ensureDemonstration } from '../../src/main/demonstration.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
let org: TestOrg;

const make = async (): Promise<TestOrg> => {
  const { config, database, clock, url } = world();
  const parts = { keys: keyring(config), mail: mailSettings(config) };
  const made = await ensureDemonstration(database, parts, clock.now());
  return new TestOrg(url, made.org, '', made.secret);
};

beforeAll(async () => {
  org = await make();
});

const rows = async (text: string): Promise<Record<string, unknown>[]> =>
  (await world().admin.query(text.replaceAll('$org', `'${org.id}'`))).rows as Record<string, unknown>[];

test('names and statuses are independent: every name is there with a status and without', async () => {
  const found = await rows(`
    select first_name, count(subscription_status)::int as some,
      count(*) filter (where subscription_status is null)::int as none
    from people where org_id = $org and first_name is not null group by 1`);
  expect(found).toHaveLength(12);
  for (const { some, none } of found) {
    expect(some).toBeGreaterThan(0);
    expect(none).toBeGreaterThan(0);
  }
});

test('money goes with the status', async () => {
  expect(
    await rows(`
      select subscription_status from people where org_id = $org and (
        (mrr > 0) <> (coalesce(subscription_status, '') in ('active', 'past_due')) or (subscription_status is null and ltv > 0)
        or (select count(*) from subscriptions s where s.org_id = $org and s.person_id = people.id)
          <> (subscription_status is not null)::int)`),
  ).toEqual([]);
});

test('events reach back most of a year, and none is older than its person or to come', async () => {
  const [found] = await rows(`
    select count(*)::int as events, count(distinct date_trunc('month', occurred_at))::int as months,
      count(*) filter (where occurred_at > now() or occurred_at < p.created_at)::int as odd
    from events e join people p on p.org_id = e.org_id and p.id = e.person_id where e.org_id = $org`);
  expect(found).toMatchObject({ odd: 0 });
  expect(found!['events']).toBeGreaterThan(1_000);
  expect(found!['months']).toBeGreaterThanOrEqual(11);
});

test('two webinars were held, and some of the registrants came', async () => {
  const { body } = await org.rest('GET /v1/webinars');
  expect(body.webinars.map(({ phase }: { phase: string }) => phase)).toEqual(['upcoming', 'ended', 'ended']);
  for (const { id } of body.webinars.slice(1)) {
    const { total } = (await org.rest(`GET /v1/webinars/${id}/registrations`)).body;
    const came = (await org.rest(`GET /v1/webinars/${id}/registrations?attended=true`)).body.total;
    expect(total).toBeGreaterThan(30);
    expect(came).toBeGreaterThan(total / 4);
    expect(came).toBeLessThan(total);
  }
});

test('three broadcasts were sent, whose figures add up', async () => {
  const { body } = await org.rest('GET /v1/broadcasts?status=sent');
  expect(body.total).toBe(3);
  for (const { id } of body.broadcasts) {
    const { totals, balanced, per_day } = (await org.rest(`GET /v1/broadcasts/${id}/stats`)).body;
    expect(balanced).toBe(true);
    expect(totals.opened).toBeGreaterThan(totals.sent / 4);
    expect(totals.clicked).toBeGreaterThan(0);
    expect(totals.clicked).toBeLessThan(totals.opened);
    expect(per_day.length).toBeGreaterThan(1);
  }
  const skipped = body.broadcasts.map((one: { counts: { skipped: number } }) => one.counts.skipped);
  expect(Math.max(...skipped)).toBeGreaterThan(0);
});

test('a workflow is live and has runs', async () => {
  const { workflows } = (await org.rest('GET /v1/workflows')).body;
  expect(workflows).toMatchObject([{ status: 'live' }]);
  expect((await org.rest(`GET /v1/workflows/${workflows[0].id}/runs`)).body.total).toBe(12);
});

test('it is the same in every database, and a second start adds nothing', async () => {
  const told = `select md5(string_agg(concat_ws(' ', primary_email, subscription_status, mrr, ltv,
      last_opened_at is null, last_clicked_at is null), ',' order by external_user_id)) as people,
    (select count(*)::int from events where org_id = $org) as events from people where org_id = $org`;
  const before = await rows(told);
  expect(before[0]!['people']).toBe('31bf9cf7e1ae926ab9974d4376938784');
  await make();
  expect(await rows(told)).toEqual(before);
});
