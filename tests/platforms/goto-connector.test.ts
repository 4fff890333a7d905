import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Account, Connector, PlatformEvent } from '../../src/domain/webinars/platforms/connector.ts';
import { connectGoto } from '../../src/domain/webinars/platforms/goto/connect.ts';
import { startGoto } from '../support/goto.ts';

const goto = await startGoto();
afterAll(() => goto.stop());

const account: Account = { id: 'a connection', credentials: goto.credentials };
const now = new Date('2030-05-05T10:00:00Z');
const ada = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };

let connector: Connector;
let event: PlatformEvent;
beforeEach(() => {
  connector = connectGoto({ apiUrl: goto.url, oauthUrl: goto.url });
  event = { account, eventId: goto.newEvent() };
  goto.behave = () => undefined;
  goto.calls.length = 0;
});

const push = (person: { email: string; firstName: string; lastName?: string } = ada, at = now) =>
  connector.pushRegistrant(event, person, 'a key', at);
const report = (cursor?: string) => connector.participantsReport(event, cursor, now);
const made = () => goto.calls.map(({ what }) => what);

test('a registrant is added by name and address, and answered with the key to its last digit and the personal link', async () => {
  const pushed = await push();
  const known = goto.registrants(event.eventId).get('ada@example.com')!;
  expect(Number.isSafeInteger(Number(known.registrant_id))).toBe(false);
  expect(pushed).toEqual({ status: 'registered', externalId: known.registrant_id, joinUrl: known.join_url });
  expect(goto.calls.at(-1)!.body).toEqual({
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
  });
});

test('somebody who is there already is asked about by the key of the 409, which has no link', async () => {
  const first = await push();
  goto.calls.length = 0;
  expect(await push()).toEqual(first);
  expect(made()).toEqual(['register', 'ask']);
  goto.behave = ({ what }) => (what === 'ask' ? { status: 500 } : undefined);
  expect(await push()).toMatchObject({ status: 'retry', about: 'platform', counted: true });
  goto.behave = ({ what }) => (what === 'register' ? { raw: '{}', status: 409 } : undefined);
  expect(await push()).toEqual({ status: 'refused', why: '409' });
});

test('GoTo takes nobody without a last name, so a person without one has a dash', async () => {
  expect(await push({ email: 'mono@example.com', firstName: 'Mono' })).toMatchObject({
    status: 'registered',
  });
  expect(goto.calls.at(-1)!.body).toMatchObject({ lastName: '-' });
  const long = { email: 'long@example.com', firstName: 'a'.repeat(500), lastName: 'b'.repeat(500) };
  expect(await push(long)).toMatchObject({ status: 'registered' });
});

test('a refresh token is changed for an access token that serves until shortly before it ends', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, at) => push({ ...ada, email: `p${at}@example.com` })));
  expect(made().filter((what) => what === 'token')).toHaveLength(1);
  await push({ ...ada, email: 'later@example.com' }, new Date(now.getTime() + 3_550_000));
  expect(made().filter((what) => what === 'token')).toHaveLength(2);
});

test('a token that ended before its time is renewed once, and the call is made again', async () => {
  await push();
  goto.endTokens();
  goto.calls.length = 0;
  expect(await push({ ...ada, email: 'bob@example.com' })).toMatchObject({ status: 'registered' });
  expect(made()).toEqual(['register', 'token', 'register']);
  goto.behave = ({ what }) => (what === 'register' ? 'expired' : undefined);
  expect(await push()).toEqual({
    status: 'retry',
    about: 'account',
    counted: false,
    why: '401 InvalidToken Invalid token passed',
  });
});

test('an organizer who takes the rights away is trouble with the account, for pushes and for the report', async () => {
  const other = await startGoto();
  onTestFinished(() => other.stop());
  connector = connectGoto({ apiUrl: other.url, oauthUrl: other.url });
  event = { account: { id: 'another', credentials: other.credentials }, eventId: other.newEvent() };
  expect(await push()).toMatchObject({ status: 'registered' });
  other.revoke();
  const why = 'no token: 400 invalid_grant The refresh token is not valid.';
  expect(await push()).toEqual({ status: 'retry', about: 'account', counted: false, why });
  expect(await report()).toEqual({ rows: [], final: false, why, account: true });
});

test.each([
  {
    when: 'too many calls are a short pause for everybody',
    fault: { status: 429 },
    pushed: { about: 'platform', counted: false, retryAt: new Date('2030-05-05T10:00:02Z') },
  },
  {
    when: 'Retry-After is kept to',
    fault: { status: 429, headers: { 'retry-after': '90' } },
    pushed: { about: 'platform', counted: false, retryAt: new Date('2030-05-05T10:01:30Z') },
  },
  {
    when: 'Retry-After is not kept to for ever',
    fault: { status: 429, headers: { 'retry-after': '99999999999' } },
    pushed: { about: 'platform', counted: false, retryAt: new Date('2030-05-07T10:00:00Z') },
  },
  {
    when: 'an app that may not is trouble with the account',
    fault: { status: 403, message: 'No rights for ada@example.com.' },
    pushed: { about: 'account', counted: false, why: '403 Forbidden No rights for …' },
  },
  {
    when: 'an error of GoTo itself may have counted',
    fault: { status: 503 },
    pushed: { about: 'platform', counted: true },
  },
  { when: 'silence may have counted', fault: 'silent', pushed: { about: 'platform', counted: true } },
  { when: 'a cut line may have counted', fault: 'reset', pushed: { about: 'platform', counted: true } },
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
  {
    when: 'a good answer that says nothing is no registration',
    fault: { raw: '<html>all well</html>', status: 201 },
    pushed: { about: 'platform', counted: true },
  },
  {
    when: 'a good answer of another shape is no registration',
    fault: { raw: '[{"registrantKey":{"a":1},"joinUrl":7}]', status: 201 },
    pushed: { about: 'platform', counted: true },
  },
] as const)('$when', async ({ fault, pushed }) => {
  if (fault === 'silent') connector = connectGoto({ apiUrl: goto.url, oauthUrl: goto.url, timeoutMs: 1_500 });
  await push({ ...ada, email: 'first@example.com' }); // there is a token
  goto.calls.length = 0;
  goto.behave = ({ what }) => (what === 'register' ? fault : undefined);
  const answered = await push();
  expect(answered).toMatchObject({ status: 'retry', ...pushed });
  expect(JSON.stringify(answered)).not.toContain('ada@');
  expect(made()).toEqual(['register']);
});

test.each([
  ['javascript:alert(1)', 'a link that is none'],
  ['https://a.example/\\u0000', 'one that the database refuses'],
])('%s is %s, so it is still to come', async (link) => {
  goto.behave = ({ what }) =>
    what === 'register'
      ? { raw: `{"registrantKey":1234567890123456789,"joinUrl":"${link}"}`, status: 201 }
      : undefined;
  expect(await push()).toEqual({ status: 'pending', externalId: '1234567890123456789' });
});

test('what GoTo refuses is refused, with its words but not the address in them; so is an event it does not know', async () => {
  goto.behave = ({ what, email }) =>
    what === 'register' ? { status: 400, code: 7, message: `The address ${email} is not one.` } : undefined;
  expect(await push()).toEqual({ status: 'refused', why: '400 7 The address … is not one.' });
  goto.behave = () => undefined;
  event = {
    account: { ...account, credentials: { ...goto.credentials, account_id: '1' } },
    eventId: goto.newEvent(),
  };
  expect(await push()).toEqual({ status: 'refused', why: '404 NotFound The webinar does not exist.' });
});

test('whom the organizer must approve first is known, without a link; whom they deny is refused', async () => {
  goto.behave = ({ what }) => (what === 'register' || what === 'ask' ? { pending: true } : undefined);
  const waits = await push();
  expect(waits).toEqual({ status: 'pending', externalId: expect.stringMatching(/^\d{19}$/) });
  expect(await push()).toEqual(waits);
  goto.behave = () => undefined;
  expect(await push()).toMatchObject({ status: 'registered' });
  goto.behave = ({ what }) =>
    what === 'ask'
      ? { raw: '{"registrantKey":12,"joinUrl":"https://a.example/","status":"DENIED"}' }
      : undefined;
  expect(await push()).toEqual({ status: 'refused', why: 'the organizer denied the registrant' });
});

test('ten calls a second are all that GoTo takes; what is over that has counted nothing', async () => {
  const strict = await startGoto({ callsASecond: 10 });
  onTestFinished(() => strict.stop());
  connector = connectGoto({ apiUrl: strict.url, oauthUrl: strict.url });
  event = { account: { id: 'strict', credentials: strict.credentials }, eventId: strict.newEvent() };
  const pushed = await Promise.all(
    Array.from({ length: 15 }, (_, at) => push({ ...ada, email: `p${at}@example.com` })),
  );
  expect(pushed.filter(({ status }) => status === 'registered')).toHaveLength(9); // and one for the token
  expect(pushed.filter(({ status }) => status === 'retry')).toEqual(
    Array.from({ length: 6 }, () => expect.objectContaining({ about: 'platform', counted: false })),
  );
});

test('nobody at the address has counted nothing', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gone = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise((resolve) => server.close(resolve));
  connector = connectGoto({ apiUrl: gone, oauthUrl: goto.url });
  expect(await push()).toEqual({ status: 'retry', about: 'platform', counted: false, why: 'ECONNREFUSED' });
});

test('attendance comes in numbered pages, a row for every time that somebody was in the room', async () => {
  const [key, other] = ['5620084814059709442', '8325357307900339981'];
  const left = (hour: number) => ({ leave_time: `2030-05-05T0${hour}:00:00Z` });
  goto.report(
    event.eventId,
    [
      { registrant_id: key, user_email: 'Ada@Example.com', ...left(7) },
      { registrant_id: key, user_email: 'Ada@Example.com', ...left(8) },
      { registrant_id: key, user_email: 'Ada@Example.com', ...left(9) },
      { registrant_id: other },
      { registrant_id: '12', user_email: 'c@example.com', ...left(9) },
    ],
    2,
  );
  const times = [7, 8, 9].map((hour) => ({
    externalId: key,
    email: 'ada@example.com',
    leftAt: new Date(`2030-05-05T0${hour}:00:00Z`),
  }));
  const first = await report();
  expect(first).toEqual({ rows: [...times, { externalId: other }], next: '1', final: false });
  expect(await report(first.next)).toEqual({
    rows: [{ externalId: '12', email: 'c@example.com', leftAt: new Date('2030-05-05T09:00:00Z') }],
    final: true,
  });
  expect(goto.calls.filter(({ what }) => what === 'report').map(({ page }) => page)).toEqual(['0', '1']);
});

test('a webinar that did not take place has no report, and one without attendees an empty one', async () => {
  expect(await report()).toEqual({ rows: [], final: false, why: '404 NotFound The webinar does not exist.' });
  goto.report(event.eventId, []);
  expect(await report()).toEqual({ rows: [], final: true });
});

test.each([
  [
    'pages without end, each of them empty',
    '{"_embedded":{},"page":{"totalPages":1000000000}}',
    { rows: [], final: true },
  ],
  [
    'a page count that is none',
    '{"_embedded":{"attendeeParticipationResponses":[{"email":"a@b.c"}]},"page":{"totalPages":"many"}}',
    { rows: [{ email: 'a@b.c' }], final: true },
  ],
  [
    'attendees of odd shapes',
    '{"_embedded":{"attendeeParticipationResponses":[7,null,{"email":{},"attendance":"always"}]},"page":{}}',
    { rows: [{}, {}, {}], final: true },
  ],
  ['no JSON at all', '<html></html>', { rows: [], final: false, why: '200' }],
  ['a list', '[]', { rows: [], final: false, why: '200' }],
])('a report with %s does no harm', async (_, raw, page) => {
  goto.behave = ({ what }) => (what === 'report' ? { raw } : undefined);
  expect(await report()).toEqual(page);
});

test('an endless report is given up on after a thousand pages', async () => {
  const raw =
    '{"_embedded":{"attendeeParticipationResponses":[{"email":"a@b.c"}]},"page":{"totalPages":1000000000}}';
  goto.behave = ({ what }) => (what === 'report' ? { raw } : undefined);
  expect(await report('998')).toMatchObject({ next: '999', final: false });
  expect(await report('999')).toEqual({ rows: [{ email: 'a@b.c' }], final: true });
});

test.each([
  [
    'a limit',
    { status: 429, headers: { 'retry-after': '60' } },
    { retryAt: new Date('2030-05-05T10:01:00Z') },
  ],
  ['an account turned away', { status: 403 }, { account: true }],
  ['an error', { status: 502 }, {}],
] as const)('%s only puts the report off', async (_, fault, more) => {
  goto.behave = ({ what }) => (what === 'report' ? fault : undefined);
  expect(await report()).toEqual({
    rows: [],
    final: false,
    why: expect.stringContaining('Not now'),
    ...more,
  });
});

test('GoTo is spoken to over https, but on the same machine', () => {
  const to =
    (apiUrl: string, oauthUrl = 'https://authentication.logmeininc.com') =>
    () =>
      connectGoto({ apiUrl, oauthUrl });
  expect(to('https://api.getgo.com')).not.toThrow();
  expect(to('http://127.0.0.1:8080', 'http://localhost:8080')).not.toThrow();
  expect(to('http://api.getgo.com')).toThrow('https');
  expect(to('https://api.getgo.com', 'http://10.0.0.1')).toThrow('https');
});
