import { expect, test } from 'vitest';
import { sinkProvider } from '../../src/domain/delivery/providers/sink.ts';
import { mayReceive } from '../../src/domain/delivery/outgoing/test-recipients.ts';
import { newLiveOrg } from '../broadcasts/plan/plan-support.ts';
import { asProblem, problem } from '../support/problem.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const allow = (org: TestOrg, test_recipients: unknown) => org.rest('PATCH /v1/settings', { test_recipients });

test('a test organization says whom its messages really go to, and reads it back folded, each once', async () => {
  const org = await world().newOrg();
  const sent = [' Ann@Example.com ', 'ann@example.com', '@MBOX.test', '@bücher.test', '+15550001111'];
  const kept = ['ann@example.com', '@mbox.test', '@xn--bcher-kva.test', '+15550001111'];
  expect((await allow(org, sent)).body.settings.test_recipients).toEqual(kept);
  expect((await org.rest('GET /v1/settings')).body.settings.test_recipients).toEqual(kept);
  expect((await org.rest('PATCH /v1/settings', { timezone: 'UTC' })).body.settings.test_recipients).toEqual(
    kept,
  );
  expect((await allow(org, [])).body.settings.test_recipients).toEqual([]);
});

test.each([
  [['mbox.test'], '/test_recipients/0'],
  [['ok@mbox.test', 'a b@mbox.test'], '/test_recipients/1'],
  [['@'], '/test_recipients/0'],
  [['a@b@c.test'], '/test_recipients/0'],
  [['@mbox.test\nx'], '/test_recipients/0'],
  [['15550001111'], '/test_recipients/0'],
  [[`${'a'.repeat(250)}@mbox.test`], '/test_recipients/0'],
  [[null], '/test_recipients/0'],
  ['@mbox.test', '/test_recipients'],
  [Array.from({ length: 101 }, (_, n) => `p${n}@mbox.test`), '/test_recipients'],
])('%j is refused, with its place', async (sent, pointer) => {
  const org = await world().newOrg();
  const refused = await allow(org, sent);
  expect(asProblem(refused)).toEqual(problem(400, 'invalid_request', '/v1/settings'));
  expect(refused.body.errors[0].pointer).toBe(pointer);
});

test('a hundred are taken', async () => {
  const org = await world().newOrg();
  const hundred = Array.from({ length: 100 }, (_, n) => `p${n}@mbox.test`);
  expect((await allow(org, hundred)).body.settings.test_recipients).toEqual(hundred);
});

test('a live organization has no such list, not even an empty one, and nothing else of the call is done', async () => {
  const org = await newLiveOrg(world());
  for (const test_recipients of [['@mbox.test'], []]) {
    const refused = await org.rest('PATCH /v1/settings', { test_recipients, timezone: 'Europe/Paris' });
    expect(asProblem(refused)).toEqual(problem(403, 'test_mode_only', '/v1/settings'));
  }
  expect((await org.rest('GET /v1/settings')).body.settings).toMatchObject({
    timezone: 'UTC',
    test_recipients: [],
  });
});

test('whoever is on the list may really get a message, by address or by domain, in any case of letters', () => {
  const list = ['ann@example.com', '@mbox.test', '@xn--bcher-kva.test', '+15550001111'];
  const may = (address: string) => mayReceive(list, address);
  expect(['Ann@Example.com', 'any@MBOX.test', 'x@bücher.test', '+15550001111'].filter(may)).toHaveLength(4);
  const others = ['ben@example.com', 'a@sub.mbox.test', 'a@notmbox.test', 'mbox.test', '+15550002222', '@'];
  expect(others.filter(may)).toEqual([]);
  expect(mayReceive([], 'ann@example.com')).toBe(false);
});

test('the sink takes everything', async () => {
  const sink = sinkProvider();
  expect(await sink.send({ to: 'anybody' })).toMatchObject({ outcome: 'sent' });
  await sink.close();
});
