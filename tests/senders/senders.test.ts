import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, test } from 'vitest';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import type { Work } from '../../src/database/work.ts';
import { readSender } from '../../src/domain/senders/sender.ts';
import type { SenderId } from '../../src/kernel/ids.ts';
import { contentsOf } from '../support/org-contents.ts';
import { asProblem, problem } from '../support/problem.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An organization with a sender and a number, for calls that change nothing. */
let still: TestOrg;
let stillSender: string;
beforeAll(async () => {
  still = await world().newOrg();
  stillSender = await newSender(still, 'news@acme.example');
  await still.rest('PUT /v1/sms-number', { number: '+15550001111' });
});

const create = (org: TestOrg, sender: object) => org.rest('POST /v1/senders', { name: 'News', ...sender });

async function newSender(org: TestOrg, email: string, more: object = {}): Promise<string> {
  const { status, body } = await create(org, { email, ...more });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.sender.id;
}

/** What a check that found everything leaves behind. */
const verify = (org: TestOrg, domain: string) =>
  world().admin.query(
    `update sending_domains set verified_at = now(), checked_at = now(), next_check_at = now() + interval '1 day', records =
       '{"ownership":{"status":"found","detail":null},"dkim":{"status":"found","detail":null},
         "return_path":{"status":"found","detail":null},"dmarc":{"status":"found","detail":null}}'
     where org_id = $1 and domain = $2`,
    [org.id, domain],
  );

/** The list over both faces, which must be one and the same. */
async function list(org: TestOrg) {
  const overRest = await org.rest('GET /v1/senders');
  const overTool = await org.tool('list_senders');
  expect(overRest.status).toBe(200);
  expect(overTool.isError).toBe(false);
  expect(overTool.body).toEqual(overRest.body);
  expect(JSON.parse(overTool.text)).toEqual(overRest.body);
  return overRest.body;
}

test('SDR-001 SDR-003 TOL-010 a sender has an id, a from display, a reply-to and its readiness, alike on both faces', async () => {
  const org = await world().newOrg();
  const made = await create(org, {
    name: 'Acme, Inc.',
    email: ' News@Acme.EXAMPLE ',
    reply_to: 'Help@other.example',
  });
  expect(made.status).toBe(201);
  const sender = {
    id: expect.stringMatching(uuid),
    name: 'Acme, Inc.',
    from: '"Acme, Inc." <news@acme.example>',
    email: 'news@acme.example',
    reply_to: 'help@other.example',
    domain: 'acme.example',
    ready: false,
    not_ready_reason: expect.stringMatching(
      /^The ownership record was not looked up yet: _rostrum\.acme\.example should be a TXT record with the value "rostrum-domain=[0-9a-f]{32}"\.$/,
    ),
  };
  expect(made.body.sender).toEqual(sender);
  expect(await list(org)).toEqual({
    senders: [made.body.sender],
    sms: { available: false, number: null, proof: null },
  });
});

test('SDR-001 without a reply-to of its own answers go to the address itself', async () => {
  const org = await world().newOrg();
  await newSender(org, 'news@acme.example');
  await newSender(org, 'team@acme.example', { reply_to: null });
  const { senders } = await list(org);
  expect(senders).toMatchObject([{ reply_to: 'news@acme.example' }, { reply_to: 'team@acme.example' }]);
});

test('SDR-002 SDR-003 TOL-010 every sender at a verified domain is ready, and none at another', async () => {
  const org = await world().newOrg();
  for (const email of ['a@good.example', 'b@bad.example', 'c@good.example', 'd@sub.good.example']) {
    await newSender(org, email);
  }
  await verify(org, 'good.example');
  const { senders } = await list(org);
  expect(senders).toMatchObject([
    { email: 'a@good.example', ready: true, not_ready_reason: null },
    {
      email: 'b@bad.example',
      ready: false,
      not_ready_reason: expect.stringContaining('_rostrum.bad.example'),
    },
    { email: 'c@good.example', ready: true, not_ready_reason: null },
    { email: 'd@sub.good.example', ready: false },
  ]);
});

test('SDR-004 TOL-010 the list says whether there is a number for texts, and which', async () => {
  const org = await world().newOrg();
  expect((await list(org)).sms).toEqual({ available: false, number: null, proof: null });
  const set = await org.rest('PUT /v1/sms-number', { number: '+15550001111' });
  expect(set).toMatchObject({ status: 200, body: { sms: { available: true, number: '+15550001111' } } });
  expect((await list(org)).sms).toEqual({ available: true, number: '+15550001111', proof: null });
  await org.rest('PUT /v1/sms-number', { number: '+4915550001111' });
  expect((await list(org)).sms).toEqual({ available: true, number: '+4915550001111', proof: null });
  const cleared = await org.rest('PUT /v1/sms-number', { number: null });
  expect(cleared).toMatchObject({ status: 200, body: { sms: { available: false, number: null } } });
  expect((await list(org)).sms).toEqual({ available: false, number: null, proof: null });
});

test.each([
  '15550001111',
  '+05550001111',
  '+1 555 000 1111',
  '+123456',
  '+1234567890123456',
  '',
  'STOP',
  1,
  undefined,
])('SDR-004 %j is no number, and the one there was stays', async (number) => {
  const before = await contentsOf(world().admin, still);
  const refused = await still.rest('PUT /v1/sms-number', { number });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/number' }] } });
  expect(await contentsOf(world().admin, still)).toEqual(before);
});

// TEN-015, as far as it is about senders.
test('TEN-001 TOL-010 each organization sees its own senders and number alone, also at one domain', async () => {
  const [ours, theirs] = [await world().newOrg(), await world().newOrg()];
  const mine = await newSender(ours, 'news@shared.example');
  const other = await newSender(theirs, 'news@shared.example');
  await theirs.rest('PUT /v1/sms-number', { number: '+15550002222' });
  await verify(theirs, 'shared.example');
  expect(await list(ours)).toMatchObject({
    senders: [{ id: mine, ready: false }],
    sms: { available: false, number: null },
  });
  expect((await list(ours)).senders).toHaveLength(1);
  expect(await list(theirs)).toMatchObject({ senders: [{ id: other, ready: true }] });
  for (const [method, body] of [
    ['PATCH', { name: 'Taken over' }],
    ['DELETE', undefined],
  ] as const) {
    const refused = await ours.rest(`${method} /v1/senders/${other}`, body);
    expect(asProblem(refused)).toEqual(problem(404, 'not_found', `/v1/senders/${other}`));
  }
  expect(await list(theirs)).toMatchObject({ senders: [{ id: other, name: 'News' }] });
});

test('senders come in the order they were made, those of one moment in a fixed order', async () => {
  const org = await world().newOrg();
  const start = Date.now();
  const made: string[] = [];
  try {
    for (const minute of [3, 1, 2, 2]) {
      world().clock.now = () => new Date(start + minute * 60_000);
      made.push(await newSender(org, `a${made.length}@order.example`));
    }
  } finally {
    world().clock.now = () => new Date();
  }
  const { senders } = await list(org);
  expect(senders.map(({ id }: { id: string }) => id)).toEqual([made[1], made[2], made[3], made[0]]);
});

test('a full list costs a reader at most 25,000 tokens, with every sender waiting for its longest record', async () => {
  const org = await world().newOrg();
  await newSender(org, 'a0@tokens.example');
  await world().admin.query(
    `insert into senders
     select (jsonb_populate_record(s, jsonb_build_object('id', new_id(now()), 'email', 'a' || n || '@tokens.example'))).*
     from senders s, generate_series(1, 49) n where org_id = $1`,
    [org.id],
  );
  await world().admin.query(
    `update sending_domains set records = '{"ownership":{"status":"found","detail":null}}' where org_id = $1`,
    [org.id],
  );
  const { text, body } = await org.tool('list_senders');
  expect(body.senders).toHaveLength(50);
  expect(body.senders[49].not_ready_reason).toMatch(/^The DKIM record .* "v=DKIM1; k=rsa; p=.{392}"\.$/);
  expect(countTokens(text)).toBeLessThanOrEqual(25_000);
  expect(countTokens(JSON.stringify(body))).toBeLessThanOrEqual(25_000);
  const refused = await create(org, { email: 'a50@tokens.example' });
  expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining('50 senders') } });
});

describe('create_sender', () => {
  test('answers with the records to publish, and makes the domain once', async () => {
    const org = await world().newOrg();
    const { body } = await create(org, { email: 'news@acme.example' });
    const { sending_domain: domain } = body;
    expect(domain).toEqual({
      id: expect.stringMatching(uuid),
      domain: 'acme.example',
      verified: false,
      verified_at: null,
      checked_at: null,
      checking: true,
      records: [
        {
          purpose: 'ownership',
          type: 'TXT',
          host: '_rostrum.acme.example',
          value: expect.stringMatching(/^rostrum-domain=[0-9a-f]{32}$/),
        },
        {
          purpose: 'dkim',
          type: 'TXT',
          host: expect.stringMatching(/^rostrum[0-9a-f]{8}\._domainkey\.acme\.example$/),
          value: expect.stringMatching(/^v=DKIM1; k=rsa; p=MIIB[\w+/]{385,388}=*$/),
        },
        { purpose: 'return_path', type: 'CNAME', host: 'bounce.acme.example', value: 'bounce.rostrum.test' },
        { purpose: 'dmarc', type: 'TXT', host: '_dmarc.acme.example', value: 'v=DMARC1; p=none' },
      ].map((record) => ({ ...record, status: 'unchecked', detail: null })),
      created_at: expect.stringMatching(/Z$/),
    });
    const second = await create(org, { email: 'team@ACME.example' });
    expect(second.body.sending_domain.id).toBe(domain.id);
    expect((await org.rest('GET /v1/sending-domains')).body).toMatchObject({ total: 1 });
  });

  test('refuses an address that is there already, in whatever letters', async () => {
    const org = await world().newOrg();
    await newSender(org, 'news@acme.example');
    const before = await contentsOf(world().admin, org);
    const again = await create(org, { name: 'Other', email: 'NEWS@Acme.Example' });
    expect(asProblem(again)).toEqual(problem(409, 'duplicate_key', '/v1/senders'));
    expect(await contentsOf(world().admin, org)).toEqual(before);
  });

  test.each([
    ['/email', { email: 'news@localhost' }],
    ['/email', { email: 'news@127.0.0.1' }],
    ['/email', { email: 'not an address' }],
    ['/email', {}],
    ['/name', { email: 'a@b.example', name: 'A\r\nBcc: x@y.example' }],
    ['/reply_to', { email: 'a@b.example', reply_to: 'nobody' }],
    ['/domain', { email: 'a@b.example', domain: 'b.example' }],
  ])('refuses what is wrong at %s and makes nothing: %j', async (pointer, sent) => {
    const before = await contentsOf(world().admin, still);
    expect(await create(still, sent)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
    expect(await contentsOf(world().admin, still)).toEqual(before);
  });

  test('at once for one domain makes one domain, and for one address one sender', async () => {
    const org = await world().newOrg();
    const emails = ['a@race.example', 'b@race.example', 'b@race.example', 'c@race.example'];
    const answers = await Promise.all(emails.map((email) => create(org, { email })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 409]);
    expect((await org.rest('GET /v1/sending-domains')).body.total).toBe(1);
    expect((await list(org)).senders).toHaveLength(3);
  });

  test('leaves a row in the audit log with ids only', async () => {
    const org = await world().newOrg();
    const { body } = await create(org, { name: 'Zyxname', email: 'zyxlocal@zyxdomain.example' });
    const { rows } = await world().admin.query<{ ids: object; text: string }>(
      `select ids, a::text as text from audit_log a where org_id = $1 and operation = 'create_sender'`,
      [org.id],
    );
    expect(rows.map(({ ids }) => ids)).toEqual([
      { sender_id: body.sender.id, domain_id: body.sending_domain.id },
    ]);
    expect(
      [...rows.map(({ text }) => text), ...world().logLines].filter((line) => /zyx/i.test(line)),
    ).toEqual([]);
  });
});

describe('update_sender', () => {
  test('changes the name, sets the reply-to and clears it, and leaves the rest', async () => {
    const org = await world().newOrg();
    const id = await newSender(org, 'news@acme.example');
    const change = async (body: object) => (await org.rest(`PATCH /v1/senders/${id}`, body)).body.sender;
    expect(await change({ name: ' Ada L. ' })).toMatchObject({
      name: 'Ada L.',
      from: '"Ada L." <news@acme.example>',
      reply_to: 'news@acme.example',
    });
    expect(await change({ reply_to: 'help@acme.example' })).toMatchObject({
      name: 'Ada L.',
      reply_to: 'help@acme.example',
    });
    expect(await change({ reply_to: null })).toMatchObject({ name: 'Ada L.', reply_to: 'news@acme.example' });
    expect((await list(org)).senders).toEqual([await change({ name: 'Ada L.' })]);
  });

  test.each([{}, { email: 'other@acme.example' }, { name: '' }, { name: null }, { reply_to: 'x' }])(
    'refuses %j',
    async (body) => {
      const before = await contentsOf(world().admin, still);
      expect((await still.rest(`PATCH /v1/senders/${stillSender}`, body)).status).toBe(400);
      expect(await contentsOf(world().admin, still)).toEqual(before);
    },
  );
});

test('delete_sender removes the sender and leaves its domain as it stands', async () => {
  const org = await world().newOrg();
  const id = await newSender(org, 'news@acme.example');
  await verify(org, 'acme.example');
  expect(await org.rest(`DELETE /v1/senders/${id}`)).toMatchObject({
    status: 200,
    body: { deleted: true, sender_id: id },
  });
  expect((await list(org)).senders).toEqual([]);
  expect((await org.rest(`DELETE /v1/senders/${id}`)).status).toBe(404);
  const again = await create(org, { email: 'news@acme.example' });
  expect(again.body).toMatchObject({
    sender: { ready: true },
    sending_domain: { verified: true, checking: false },
  });
});

test('list_senders asks for broadcasts.read on both faces, and settings stay closed to it', async () => {
  const org = await world().newOrg();
  const reader = await world().newKey(org, ['broadcasts.read']);
  expect(await reader.toolNames()).toContain('list_senders');
  expect((await list(reader)).senders).toEqual([]);
  expect((await reader.rest('GET /v1/sending-domains')).status).toBe(403);
  expect((await create(reader, { email: 'a@b.example' })).status).toBe(403);
  const settings = await world().newKey(org, ['settings.read', 'settings.write']);
  expect((await settings.rest('GET /v1/senders')).status).toBe(403);
});

test('a sender can be read by its id for a plan, and one of another organization cannot', async () => {
  const [org, other] = [await world().newOrg(), await world().newOrg()];
  const id = await newSender(org, 'news@acme.example', { reply_to: 'help@acme.example' });
  const read = (as: TestOrg) =>
    orgTransaction(world().database, as.id, 'read', (db) =>
      readSender({ db, org: as.id, mail: { returnPathHost: 'bounce.rostrum.test' } } as Work, id as SenderId),
    );
  expect(await read(org)).toEqual((await list(org)).senders[0]);
  expect(await read(other)).toBeUndefined();
});
