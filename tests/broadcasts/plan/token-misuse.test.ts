import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { inHours, newDraft, newWebinar, plan, readyDraft } from '../../support/broadcast.ts';
import { contentsOf } from '../../support/org-contents.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { faces, rest } from './schedule-ways.ts';

const world = useWorld();

let org: TestOrg;
let id: string;
let token: string;
let contents: Record<string, unknown[]>;

beforeAll(async () => {
  org = await world().newOrg();
  ({ id } = await readyDraft(world(), org));
  token = (await plan(org, id)).plan_token;
  contents = await contentsOf(world().admin, org);
});

const notAToken =
  '409 plan_stale: This is not the token of a plan of this broadcast. Plan it, and use that token.';

/** Every different answer that scheduling with these was given, and whether anything was written. */
async function scheduleWith(tokens: readonly string[], schedule = rest.schedule) {
  const answers = new Set<string>();
  for (const plan_token of tokens) {
    const { status, body } = await schedule(org, id, { plan_token });
    answers.add(`${status} ${body.code}: ${body.detail}`);
  }
  return { answers: [...answers], left: await contentsOf(world().admin, org) };
}

/** Positions over the whole of it, every one of the head where key, nonce and tag stand. */
const sampleOf = (length: number): number[] =>
  Array.from({ length }, (_, at) => at).filter((at) => at < 34 || at % 13 === 0 || at > length - 4);

test('SCH-007 SCH-021 a token with any byte turned does not schedule', async () => {
  const bytes = Buffer.from(token, 'base64url');
  const turned = sampleOf(bytes.length).flatMap((at) =>
    [0x01, 0x80].map((bit) => Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ bit : byte)))),
  );
  expect(turned.length).toBeGreaterThan(100);
  const { answers, left } = await scheduleWith(turned.map((one) => one.toString('base64url')));
  expect([answers, left]).toEqual([[notAToken], contents]);
});

test('SCH-007 SCH-021 a token cut short at either end, or sent twice over, does not schedule', async () => {
  const cuts = [1, 2, 3, 4, 21, 22, 40, 43, token.length - 2, token.length - 1];
  const cut = cuts.flatMap((letters) => [token.slice(0, -letters), token.slice(letters)]);
  const { answers, left } = await scheduleWith([...cut, token + token]);
  expect([answers, left]).toEqual([[notAToken], contents]);
});

describe.each(faces)('over $face', ({ schedule }) => {
  test('SCH-007 SCH-021 a token that was never issued does not schedule', async () => {
    const words = ['x', '0', 'null', 'plan', '🎉', '%00', '../..', '{}', ' ', id, org.id, '='.repeat(100)];
    const made = [randomBytes(400).toString('base64url'), 'A'.repeat(8_192)];
    const { answers, left } = await scheduleWith([...words, ...made], schedule);
    expect([answers, left]).toEqual([[notAToken], contents]);
  });

  test('SCH-006 SCH-021 a token longer than any could be is refused as such', async () => {
    for (const length of [8_193, 100_000, 900_000]) {
      const { status, body } = await schedule(org, id, { plan_token: 'A'.repeat(length) });
      expect([status, body.code]).toEqual([400, 'invalid_request']);
      expect(body.errors).toMatchObject([{ pointer: '/plan_token' }]);
      expect(JSON.stringify(body).length).toBeLessThan(2_000);
    }
    expect(await contentsOf(world().admin, org)).toEqual(contents);
  });

  test('SCH-007 SCH-021 the token of another broadcast that is just the same does not schedule', async () => {
    const there = await world().newOrg();
    const first = await readyDraft(world(), there);
    const fields = {
      audience: 'everyone',
      subject: 'Hello',
      html: '<p>Hello there</p>',
      sender_id: first.sender.id,
    };
    const second = await newDraft(there, fields);
    const send_at = inHours(24);
    const [ofFirst, ofSecond] = [await plan(there, first.id, send_at), await plan(there, second.id, send_at)];
    const crossed = await schedule(there, first.id, { plan_token: ofSecond.plan_token });
    expect([crossed.status, crossed.body.code]).toEqual([409, 'plan_stale']);
    expect((await schedule(there, first.id, { plan_token: ofFirst.plan_token })).status).toBe(200);
  });

  test('SCH-007 SCH-021 the token of a broadcast that was deleted does not schedule one made again under its id', async () => {
    const there = await world().newOrg();
    const { sender } = await readyDraft(world(), there);
    const fields = { audience: 'everyone', subject: 'Hello', html: '<p>Hello</p>', sender_id: sender.id };
    const broadcast_id = randomUUID();
    const send_at = inHours(24);
    await newDraft(there, { broadcast_id, ...fields });
    const { plan_token: old } = await plan(there, broadcast_id, send_at);
    expect((await there.rest(`DELETE /v1/broadcasts/${broadcast_id}`)).status).toBe(200);
    await newDraft(there, { broadcast_id, ...fields });
    const { status, body } = await schedule(there, broadcast_id, { plan_token: old });
    expect(`${status} ${body.code}: ${body.detail}`).toBe(notAToken);
    const { plan_token } = await plan(there, broadcast_id, send_at);
    expect((await schedule(there, broadcast_id, { plan_token })).status).toBe(200);
  });

  test('SCH-007 SCH-021 the token of another organization does not schedule, be everything the same in both', async () => {
    const [here, there] = [await world().newOrg(), await world().newOrg()];
    const webinar_id = await newWebinar(world(), here);
    await world().admin.query(
      `insert into webinars (org_id, id, title, start_time, status, created_at)
       select $2, id, title, start_time, status, created_at from webinars where org_id = $1`,
      [here.id, there.id],
    );
    const broadcast_id = randomUUID();
    const send_at = inHours(24);
    const tokens: string[] = [];
    for (const one of [here, there]) {
      await one.rest('PUT /v1/sms-number', { number: '+15550001111' });
      const text = { channel: 'sms', audience: 'webinar', webinar_id, message_body: 'Hello' };
      await newDraft(one, { broadcast_id, ...text });
      tokens.push((await plan(one, broadcast_id, send_at)).plan_token);
    }
    const crossed = await schedule(here, broadcast_id, { plan_token: tokens[1] });
    expect(`${crossed.status} ${crossed.body.code}: ${crossed.body.detail}`).toBe(notAToken);
    const read = await here.rest(`GET /v1/broadcasts/${broadcast_id}`);
    expect(read.body.broadcast.status).toBe('draft');
    expect((await schedule(here, broadcast_id, { plan_token: tokens[0] })).status).toBe(200);
  });
});

test('SCH-007 the token that was issued still schedules after all of that', async () => {
  expect((await rest.schedule(org, id, { plan_token: token })).status).toBe(200);
});
