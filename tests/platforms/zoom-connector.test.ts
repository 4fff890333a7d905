import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Account, Connector, PlatformEvent } from '../../src/domain/webinars/platforms/connector.ts';
import { connectZoom } from '../../src/domain/webinars/platforms/zoom/connect.ts';
import { dailyLimit, startZoom } from '../support/zoom.ts';

const zoom = await startZoom();
afterAll(() => zoom.stop());

const account: Account = {
  id: 'a connection',
  credentials: zoom.credentials,
};
const now = new Date('2030-05-05T10:00:00Z');
const ada = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };

let connector: Connector;
let event: PlatformEvent;
let number = 90_000_000_000;
beforeEach(() => {
  connector = connectZoom({ apiUrl: zoom.url, oauthUrl: zoom.url });
  event = { account, eventId: String(number++) };
  zoom.behave = () => undefined;
  zoom.calls.length = 0;
});

const push = (person = ada, at = now) => connector.pushRegistrant(event, person, 'a key', at);
const report = (cursor?: string) => connector.participantsReport(event, cursor, now);
const made = (what: string) => zoom.calls.filter((call) => call.what === what).length;

test('a registrant is added by name and address, and answered with the id and the personal link', async () => {
  const pushed = await push();
  const known = zoom.registrants(event.eventId).get('ada@example.com')!;
  expect(pushed).toEqual({
    status: 'registered',
    externalId: known.registrant_id,
    joinUrl: known.join_url,
  });
  expect(zoom.calls.at(-1)!.body).toEqual({
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
  });
  expect(await push()).toEqual(pushed);
});

test('one token serves many calls, also those made at the same moment, until shortly before it ends', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, at) => push({ ...ada, email: `p${at}@example.com` })));
  expect(made('token')).toBe(1);
  await push(ada, new Date(now.getTime() + 3_500_000));
  expect(made('token')).toBe(1);
  await push(ada, new Date(now.getTime() + 3_550_000));
  expect(made('token')).toBe(2);
});

test('a token that ended before its time is renewed once, and the call is made again', async () => {
  await push();
  zoom.endTokens();
  expect(await push()).toMatchObject({ status: 'registered' });
  expect(made('token')).toBe(2);
  zoom.behave = ({ what }) => (what === 'register' ? 'expired' : undefined);
  const before = zoom.calls.length;
  expect(await push()).toEqual({
    status: 'retry',
    about: 'account',
    counted: false,
    why: '401 124 Access token is expired.',
  });
  expect(zoom.calls.slice(before).map(({ what }) => what)).toEqual(['register', 'token', 'register']);
});

test('credentials that Zoom does not take are trouble with the account, and no registrant is counted', async () => {
  event = {
    ...event,
    account: { ...account, credentials: { ...account.credentials, client_secret: 'another' } },
  };
  expect(await push()).toEqual({
    status: 'retry',
    about: 'account',
    counted: false,
    why: 'no token: 400 Invalid client_id or client_secret',
  });
  expect(await report()).toMatchObject({ rows: [], final: false, account: true });
  expect(made('register') + made('report')).toBe(0);
});

test.each([
  {
    when: 'the limit of the second is a short pause for everybody',
    fault: { status: 429, message: 'You have reached the maximum per-second rate limit for this API.' },
    pushed: { about: 'platform', counted: false, retryAt: new Date('2030-05-05T10:00:02Z') },
  },
  {
    when: 'Retry-After in seconds is kept to',
    fault: { status: 429, headers: { 'retry-after': '90' } },
    pushed: { about: 'platform', counted: false, retryAt: new Date('2030-05-05T10:01:30Z') },
  },
  {
    when: 'Retry-After as a moment is kept to',
    fault: { status: 429, headers: { 'retry-after': '2030-05-06T00:00:00Z' } },
    pushed: { about: 'platform', counted: false, retryAt: new Date('2030-05-06T00:00:00Z') },
  },
  {
    when: 'three calls for a registrant were all of the day: tomorrow, and nobody else waits',
    fault: dailyLimit('ada@example.com'),
    pushed: { about: 'registrant', counted: true, retryAt: new Date('2030-05-06T00:05:00Z') },
  },
  {
    when: 'the daily limit of the account is everybody until tomorrow',
    fault: { status: 429, message: 'You have reached the maximum daily rate limit for this API.' },
    pushed: { about: 'platform', counted: false, retryAt: new Date('2030-05-06T00:05:00Z') },
  },
  {
    when: 'an error of Zoom itself may have counted',
    fault: { status: 503 },
    pushed: { about: 'platform', counted: true },
  },
  { when: 'silence may have counted', fault: 'silent', pushed: { about: 'platform', counted: true } },
  { when: 'a cut line may have counted', fault: 'reset', pushed: { about: 'platform', counted: true } },
  {
    when: 'an app without the scope is trouble with the account',
    fault: { status: 400, code: 4711, message: 'Invalid access token, does not contain scopes.' },
    pushed: { about: 'account', counted: false },
  },
  {
    when: 'a redirect is not followed',
    fault: { raw: '', status: 302, headers: { location: 'http://127.0.0.1:9/' } },
    pushed: { about: 'platform', counted: true },
  },
  {
    when: 'an answer that never ends is cut off',
    fault: { raw: 'x'.repeat(5_000_000) },
    pushed: { about: 'platform', counted: true, why: 'ANSWER_TOO_LARGE' },
  },
] as const)('$when', async ({ fault, pushed }) => {
  if (fault === 'silent') connector = connectZoom({ apiUrl: zoom.url, oauthUrl: zoom.url, timeoutMs: 1_500 });
  await push({ ...ada, email: 'first@example.com' }); // there is a token
  zoom.calls.length = 0;
  zoom.behave = ({ what }) => (what === 'register' ? fault : undefined);
  const answered = await push();
  expect(answered).toMatchObject({ status: 'retry', ...pushed });
  expect(JSON.stringify(answered)).not.toContain('ada@');
  expect(made('register')).toBe(1);
});

test('what Zoom refuses is refused, with its words but not the address in them', async () => {
  zoom.behave = ({ what, email }) =>
    what === 'register' ? { status: 400, code: 300, message: `The address ${email} is not one.` } : undefined;
  expect(await push()).toEqual({ status: 'refused', why: '400 300 The address … is not one.' });
});

test('a registrant whom a host must approve first is known, without a link', async () => {
  zoom.behave = ({ what }) => (what === 'register' ? { pending: true } : undefined);
  expect(await push()).toEqual({ status: 'pending', externalId: expect.any(String) });
});

test('nobody at the address has counted nothing', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gone = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise((resolve) => server.close(resolve));
  connector = connectZoom({ apiUrl: gone, oauthUrl: zoom.url });
  expect(await push()).toEqual({ status: 'retry', about: 'platform', counted: false, why: 'ECONNREFUSED' });
});

test('a report comes page by page, with ids, addresses in lower case and when somebody left', async () => {
  const rows = [
    { registrant_id: 'r1', user_email: 'Ada@Example.com', leave_time: '2030-05-05T09:00:00Z' },
    { registrant_id: 'r2' },
    { user_email: 'c@example.com' },
    { registrant_id: 'r4', status: 'in_waiting_room' },
    { name: 'Nobody knows' },
  ];
  zoom.report(event.eventId, rows, 2);
  const first = await report();
  expect(first).toEqual({
    rows: [
      { externalId: 'r1', email: 'ada@example.com', leftAt: new Date('2030-05-05T09:00:00Z') },
      { externalId: 'r2' },
    ],
    next: 'page-2',
    final: false,
  });
  const second = await report(first.next);
  expect(second).toEqual({ rows: [{ email: 'c@example.com' }], next: 'page-4', final: false });
  expect(await report(second.next)).toEqual({ rows: [{}], final: true });
});

test('an empty page that leads on is no end, and a webinar not known to have taken place no report', async () => {
  zoom.behave = ({ what, page }) =>
    what === 'report' && page === '' ? { raw: '{"participants":[],"next_page_token":"page-0"}' } : undefined;
  zoom.report(event.eventId, [{ registrant_id: 'r1' }]);
  expect(await report()).toEqual({ rows: [], next: 'page-0', final: false });
  expect(await report('page-0')).toEqual({ rows: [{ externalId: 'r1' }], final: true });
  zoom.behave = () => undefined;
  event = { account, eventId: '99999999999' };
  expect(await report()).toMatchObject({ rows: [], final: false, why: expect.stringContaining('3001') });
});

test('Zoom is spoken to over https, but on the same machine', () => {
  const to = (apiUrl: string) => () => connectZoom({ apiUrl, oauthUrl: 'https://zoom.us' });
  expect(to('https://api.zoom.us')).not.toThrow();
  expect(to('http://127.0.0.1:8080')).not.toThrow();
  expect(to('http://api.zoom.us')).toThrow('https');
});
