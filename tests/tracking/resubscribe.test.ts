import { beforeEach, expect, test } from 'vitest';
import { committing, takeChunk } from '../imports/committing.ts';
import { newWebinar, setLayout } from '../support/broadcast.ts';
import { newSender } from '../support/sender-row.ts';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { auditOf, eventsOf, follow, newPeople, sendTo, totalsOf } from './sent-broadcast.ts';

const world = useWorld();
let org: TestOrg;
let reader: string;
let url: string;
let broadcast: Awaited<ReturnType<typeof sendTo>>;

const arrange = async (fields = {}): Promise<void> => {
  [reader = ''] = await newPeople(org, 1);
  broadcast = await sendTo(world(), org, [reader], fields);
  url = broadcast.messages[0]!.urls.unsubscribe;
};
beforeEach(async () => {
  org = await world().newOrg();
  await setLayout(org, { company_name: 'Fish & Sons' });
  await arrange();
});

const look = async (at = url): Promise<string> => (await follow(at)).text();
const post = async (at: string): Promise<string> => {
  const answer = await fetch(at, { method: 'POST', redirect: 'manual' });
  expect(answer.status).toBe(200);
  return answer.text();
};
/** Where the page's button leads, as a browser reads it. */
const actionOf = (page: string, at: string): string | undefined => {
  const form = /<form method="post"(?: action="([^"]*)")?>/.exec(page);
  return form === null ? undefined : new URL(form[1] ?? '', at).href;
};
const isOut = async (person = reader): Promise<boolean> =>
  (await org.rest(`GET /v1/people/${person}/opt-outs`)).body.opt_outs.email_opt_out;

test('the page says who sends what, how it stands after the deed, and leads back and forth by its buttons', async () => {
  const asks = await look();
  expect(asks).toContain('<p>Fish &amp; Sons sends you marketing emails. Press');
  expect(actionOf(asks, url)).toBe(url);

  const left = await post(actionOf(asks, url)!);
  expect(left).toContain('<h1>You are unsubscribed</h1>');
  expect(left).toContain('Fish &amp; Sons will send you no more marketing emails.');
  expect(left).toContain('>Subscribe again</button>');
  expect(await look()).toBe(left);

  const back = actionOf(left, url)!;
  expect(back).toBe(`${url}/back`);
  const returned = await post(back);
  expect(returned).toContain('<h1>You are subscribed again</h1>');
  expect(returned).toContain('Fish &amp; Sons may send you marketing emails again.');
  expect(await isOut()).toBe(false);
  expect(await look()).toBe(asks);
  expect(actionOf(await look(back), back)).toBe(url);

  await post(actionOf(returned, back)!);
  expect(await isOut()).toBe(true);
  expect(actionOf(await look(back), back)).toBe(back);
});

test('the name it came under stands beside the organization’s', async () => {
  await arrange({ sender_id: await newSender(world(), org, { name: 'The <News>' }) });
  expect(await look()).toContain('Fish &amp; Sons (The &lt;News&gt;) sends you marketing emails.');
});

test('coming back is told on the timeline and in the log; that somebody had left stays in the figures', async () => {
  await post(url);
  await post(`${url}/back`);
  expect(await eventsOf(world(), reader)).toMatchObject([
    { name: '$svc_unsubscribed' },
    { name: '$svc_resubscribed', custom_properties: { broadcast_id: broadcast.id, channel: 'email' } },
  ]);
  expect(await auditOf(world(), org, 'resubscribe')).toEqual([
    {
      actor_kind: 'service',
      actor_id: 'resubscribe',
      ids: { person_id: reader, broadcast_id: broadcast.id },
    },
  ]);
  expect(await totalsOf(world(), broadcast)).toMatchObject({ unsubscribed: 1 });
  const before = await contentsOf(world().admin, org);
  expect(await post(`${url}/back`)).toContain('You are subscribed again');
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('looking at either address writes nothing', async () => {
  await post(url);
  const before = await contentsOf(world().admin, org);
  for (const at of [url, `${url}/back`]) {
    expect(await look(at)).toContain('You are unsubscribed');
    expect((await follow(at, { method: 'HEAD' })).status).toBe(200);
  }
  expect(await contentsOf(world().admin, org)).toEqual(before);
  expect((await follow(`${url}0/back`)).status).toBe(404);
});

const tell = (flags: object) => org.rest(`PATCH /v1/people/${reader}/opt-outs`, flags);

test.each<[string, () => Promise<unknown>]>([
  ['the organization opted them out before', async () => (await tell({ email_opt_out: true }), post(url))],
  [
    'the organization opted them out again after',
    async () => (await post(url), tell({ email_opt_out: true })),
  ],
  [
    'they left by another message',
    async () => {
      const other = await sendTo(world(), org, [reader]);
      await post(other.messages[0]!.urls.unsubscribe);
      await post(url);
    },
  ],
  [
    'a list says after it that they are out',
    async () => {
      await post(url);
      const { rows } = await world().admin.query('select primary_email as email from people where id = $1', [
        reader,
      ]);
      const id = await committing(world(), org, { rows: [{ email: rows[0].email, optsOut: true }] });
      await takeChunk(world(), org, id);
    },
  ],
  [
    'they were merged with somebody who was out',
    async () => {
      const [email, phone] = ['merged@resubscribe.example', '+15550107777'];
      const other = await org.person({ phone });
      await org.rest(`PATCH /v1/people/${other}/opt-outs`, { email_opt_out: true });
      const sent = { identifier_type: 'email', identifier_value: email };
      expect((await org.rest(`POST /v1/people/${reader}/identifiers`, sent)).status).toBe(200);
      await post(url);
      await org.rest('POST /v1/people/identify', { email, phone });
    },
  ],
])('where %s, there is no way back here', async (_, arranged) => {
  await arranged();
  const page = await look();
  expect(page).toContain('You are unsubscribed');
  expect(page).not.toContain('<form');
  expect(page).toContain('tell the sender');
  const before = await contentsOf(world().admin, org);
  expect(await post(`${url}/back`)).toContain('You are unsubscribed');
  expect(await contentsOf(world().admin, org)).toEqual(before);
});

test('bounces, complaints and blocks stay, whoever comes back', async () => {
  const { admin } = world();
  await post(url);
  const [{ email }] = (
    await admin.query('select value as email from identifiers where person_id = $1 limit 1', [reader])
  ).rows;
  for (const [n, reason] of ['bounced', 'complained', 'blacklisted'].entries()) {
    await admin.query(
      `insert into email_blacklist (org_id, id, person_id, email, reason, created_at)
       values ($1, gen_random_uuid(), $2, $3, $4, now())`,
      [org.id, reader, `${n}${email}`, reason],
    );
  }
  const rows = async () =>
    (await admin.query('select * from email_blacklist where person_id = $1', [reader])).rows;
  const before = await rows();
  expect(before).toHaveLength(3);
  await post(`${url}/back`);
  expect(await isOut()).toBe(false);
  expect(await rows()).toEqual(before);
});

test('of texts it says so, and brings back texts alone', async () => {
  const webinar_id = await newWebinar(world(), org);
  await arrange({ channel: 'sms', html: undefined, message_body: 'Hi', audience: 'webinar', webinar_id });
  expect(await look()).toContain('sends you marketing texts');
  await post(url);
  await tell({ email_opt_out: true });
  await post(`${url}/back`);
  const { opt_outs } = (await org.rest(`GET /v1/people/${reader}/opt-outs`)).body;
  expect(opt_outs).toEqual({ email_opt_out: true, sms_opt_out: false });
});
