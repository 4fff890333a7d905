import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../../src/catalogue/operations.ts';
import { newWebinar, plan, readyDraft } from '../../support/broadcast.ts';
import { checksums } from '../../support/furnish.ts';
import { newSegment } from '../../support/segment.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { newConfig, readyInvitation, readyText, setProperty } from './plan-support.ts';

const world = useWorld();

const send_at = '2027-04-02T10:00:00.000Z';
const variables = {
  var_tier: { variable: '{{context.root_context.org_user.custom_properties.tier}}' },
  var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'you' },
};

let org: TestOrg;
/** Drafts of every kind, by what they are. */
const drafts = new Map<string, string>();

beforeAll(async () => {
  // Time stands still, so that the key was last used now and the rate is counted in one window.
  world().clock.now = () => new Date('2027-04-01T10:00:00.000Z');
  org = await world().newOrg();
  await newConfig(org, 'tier');
  const person = await org.person({ email: 'ada@example.com', phone: '+15550100123', first_name: 'Ada' });
  await setProperty(org, person, 'tier', 'gold');
  const segment_id = await newSegment(org, [{ custom_property_key: 'tier', op: 'is_not_empty' }]);
  const html = '<p>{{var_tier}} {{var_name}}</p>';
  const email = { html, variables };
  const text = { message_body: '{{var_tier}} {{var_name}}', variables };
  drafts.set('everyone', (await readyDraft(world(), org, email)).id);
  drafts.set('a segment', (await readyDraft(world(), org, { ...email, audience: 'segment', segment_id })).id);
  for (const webinar_audience of ['registered', 'attended', 'no_show']) {
    const start_time = '2027-04-01T09:00:00.000Z';
    const webinar_id = await newWebinar(world(), org, { start_time });
    const timing = { webinar_offset_minutes: -180, webinar_audience };
    const invitation = await readyInvitation(world(), org, webinar_id, { ...email, webinar_audience });
    drafts.set(`email to ${webinar_audience}`, invitation.id);
    const timed = await readyText(world(), org, { ...text, webinar_id, ...timing });
    drafts.set(`a text to ${webinar_audience}`, timed.id);
  }
});

const kinds = ['everyone', 'a segment'].concat(
  ['registered', 'attended', 'no_show'].flatMap((whom) => [`email to ${whom}`, `a text to ${whom}`]),
);

test.each(kinds)('PLN-002 no row of any table changes by planning: %s', async (kind) => {
  const id = drafts.get(kind)!;
  const record = () => org.rest(`GET /v1/broadcasts/${id}`);
  const before = [await record(), await org.rest('GET /v1/people')].map(({ body }) => body);
  await org.tool('plan_broadcast', { broadcast_id: id, send_at });
  const { rate_windows: _, ...sums } = await checksums(world().admin);
  for (const moment of [send_at, null, '2020-01-01T00:00:00Z']) {
    await plan(org, id, moment);
    const asTool = { broadcast_id: id, ...(moment !== null && { send_at: moment }) };
    expect((await org.tool('plan_broadcast', asTool)).isError).toBe(false);
  }
  const { rate_windows: __, ...after } = await checksums(world().admin);
  expect(after).toEqual(sums);
  expect([await record(), await org.rest('GET /v1/people')].map(({ body }) => body)).toEqual(before);
  expect(before[0].broadcast.status).toBe('draft');
});

test('PLN-002 planning is declared a read, and runs in a transaction that could not write', async () => {
  const operation = operations.find(({ name }) => name === 'plan_broadcast');
  expect(operation?.effect).toBe('read');
  // Every table but those that count calls refuses every write of the service.
  await world().admin.query(`
    create function refuse_write() returns trigger language plpgsql as $$
      begin raise exception 'a plan wrote to %', tg_table_name; end $$;
    do $$ declare name text; begin
      for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and relname not in ('rate_windows', 'api_keys') loop
        execute format('create trigger refuse_write before insert or update or delete on %I
          for each statement execute function refuse_write()', name);
      end loop;
    end $$`);
  try {
    for (const id of drafts.values()) expect((await plan(org, id, send_at)).broadcast_id).toBe(id);
    const [id] = drafts.values();
    expect((await org.rest(`PATCH /v1/broadcasts/${id}`, { subject: 'Other' })).status).toBe(500);
  } finally {
    await world().admin.query('drop function refuse_write() cascade');
  }
});

test('PLN-002 a plan is not kept: two in a row differ in their token alone, and an Idempotency-Key changes nothing', async () => {
  const id = drafts.get('everyone')!;
  const key = { 'idempotency-key': 'one' };
  const answers = [
    await org.rest(`POST /v1/broadcasts/${id}/plan`, { send_at }, key),
    await org.rest(`POST /v1/broadcasts/${id}/plan`, { send_at }, key),
    await org.rest(`POST /v1/broadcasts/${id}/plan`, { send_at }),
  ];
  const [one, ...others] = answers.map(({ body }) => ({ ...body, plan_token: null }));
  for (const other of others) expect(other).toEqual(one);
  const { rows } = await world().admin.query('select 1 from idempotent_answers where org_id = $1', [org.id]);
  expect(rows).toEqual([]);
});
