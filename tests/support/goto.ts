import { randomBytes, randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  serveSimulation,
  type Asked,
  type KnownRegistrant,
  type Participant,
  type PlatformCall,
  type SimulatedPlatform,
} from './simulated-platform.ts';

// The shapes are those of https://developer.goto.com/GoToWebinarV2 (registrants, attendees; keys are numbers of 64
// bits), of https://developer.goto.com/how-use-refresh-tokens/ and of the errors that public clients quote: a registrant
// who is there already is a 409, DuplicateRegistrant, with the key and without the link.

/** GoTo Webinar for one organizer, on this machine. */
export interface Goto extends SimulatedPlatform {
  readonly platform: 'goto';
  readonly credentials: {
    readonly account_id: string;
    readonly client_id: string;
    readonly client_secret: string;
    readonly refresh_token: string;
  };
  /** The organizer took the app's rights away: the refresh token ends, and every token with it. */
  revoke(): void;
}

// Beyond what a double holds, as the real ones are.
const newKey = (): string => `${randomInt(2, 9)}${String(randomInt(2 ** 47)).padStart(18, '0')}`;

/** `callsASecond`: really ten, of which most tests need more. */
export async function startGoto({ callsASecond = Number.POSITIVE_INFINITY } = {}): Promise<Goto> {
  const credentials = {
    account_id: newKey(),
    client_id: 'a-client-of-tests',
    client_secret: `cs_${randomBytes(12).toString('hex')}`,
    refresh_token: `eyJ${randomBytes(600).toString('base64url')}`,
  };
  const events = new Map<string, Map<string, KnownRegistrant>>();
  const waiting = new Set<string>();
  const reports = new Map<string, { rows: readonly Participant[]; pageSize: number }>();
  const tokens = new Set<string>();
  const recent: number[] = [];
  let given = 0;
  let isRevoked = false;

  const served = await serveSimulation(
    {
      contentType: 'application/json',
      read: readCall,
      error: (status, code, message) =>
        status === 401 || status === 403
          ? { int_err_code: status === 401 ? 'InvalidToken' : 'Forbidden', msg: message }
          : { errorCode: code === status ? 'NotNow' : String(code), description: message, incident: 1 },
      expired: { code: 401, message: 'Invalid token passed' },
      write: writeWithKeys,
      answer: (asked) => {
        const { call, reply, request } = asked;
        if (isTooFast()) return reply(429, { errorCode: 'TooManyRequests', description: 'Slow down.' });
        if (call.what === 'token') return giveToken(asked);
        if (!tokens.has(request.headers.authorization ?? ''))
          return reply(401, { int_err_code: 'InvalidToken', msg: 'Invalid token passed' });
        if (request.headers.accept !== 'application/json')
          return reply(406, { errorCode: 'NotAcceptable', description: 'JSON only.' });
        if (call.what === 'register') return register(asked);
        if (call.what === 'ask') return tellOf(asked);
        if (call.what === 'report') return readReport(asked);
        reply(404, { errorCode: 'NotFound', description: 'Nothing is here.' });
      },
    },
    (call) => simulated.behave(call),
  );

  const isTooFast = (): boolean => {
    const now = Date.now();
    while (recent[0] !== undefined && recent[0] < now - 1_000) recent.shift();
    return recent.push(now) > callsASecond;
  };

  const giveToken = ({ request, text, reply }: Asked): void => {
    const form = new URLSearchParams(text);
    const { client_id, client_secret, refresh_token } = credentials;
    const wanted = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
    if (request.headers.authorization !== wanted)
      return reply(401, { error: 'invalid_client', error_description: 'Invalid client_id or client_secret' });
    const isRight = form.get('grant_type') === 'refresh_token' && form.get('refresh_token') === refresh_token;
    if (!isRight || isRevoked)
      return reply(400, { error: 'invalid_grant', error_description: 'The refresh token is not valid.' });
    const access_token = randomBytes(24).toString('base64url');
    tokens.add(`Bearer ${access_token}`);
    given++;
    reply(200, { access_token, token_type: 'Bearer', expires_in: 3_600, principal: 'host@example.com' });
  };

  const isOurs = (path: string): boolean => path.includes(`/organizers/${credentials.account_id}/`);
  const noWebinar = { errorCode: 'NotFound', description: 'The webinar does not exist.', incident: 2 };

  const register = ({ call: { event, email, body, path }, url, isPending, reply }: Asked): void => {
    if (!isOurs(path) || event.length < 12) return reply(404, noWebinar);
    const isFull = ['firstName', 'lastName', 'email'].every(
      (name) => typeof body[name] === 'string' && body[name] !== '' && body[name].length <= 128,
    );
    if (!isFull || url.searchParams.get('resendConfirmation') !== 'false')
      return reply(400, { errorCode: 'InvalidRequest', description: 'A required field is missing.' });
    const known = simulated.registrants(event);
    const before = known.get(email);
    if (before !== undefined)
      return reply(409, {
        errorCode: 'DuplicateRegistrant',
        description: `Registration failed, ${email} is already in use.`,
        incident: newKey(),
        registrantKey: before.registrant_id,
      });
    const registrant_id = newKey();
    known.set(email, {
      registrant_id,
      join_url: `https://global.gotowebinar.example/join/${event}/${registrant_id}`,
    });
    if (isPending) waiting.add(registrant_id);
    reply(201, shown(known.get(email)!));
  };

  const shown = ({ registrant_id, join_url }: KnownRegistrant) => ({
    registrantKey: registrant_id,
    joinUrl: join_url,
    status: waiting.has(registrant_id) ? 'WAITING' : 'APPROVED',
  });

  const tellOf = ({ call: { event, page: key, path }, isPending, reply }: Asked): void => {
    const found = [...simulated.registrants(event)].find(([, { registrant_id }]) => registrant_id === key);
    if (!isOurs(path) || found === undefined)
      return reply(404, { errorCode: 'NotFound', description: 'No such registrant.' });
    if (!isPending) waiting.delete(key);
    const [email, known] = found;
    reply(200, { ...shown(known), email, firstName: 'A', lastName: 'B', timeZone: 'Europe/Paris' });
  };

  const readReport = ({ call: { event, page, path }, url, reply }: Asked): void => {
    const report = reports.get(event);
    if (report === undefined || !isOurs(path)) return reply(404, noWebinar);
    const size = Math.min(Number(url.searchParams.get('size') ?? 20), report.pageSize);
    const attendees = grouped(report.rows);
    const number = Number(page);
    reply(200, {
      _embedded: { attendeeParticipationResponses: attendees.slice(number * size, (number + 1) * size) },
      page: {
        size,
        totalElements: attendees.length,
        totalPages: Math.ceil(attendees.length / size),
        number,
      },
    });
  };

  const simulated: Goto = {
    ...served,
    platform: 'goto',
    settings: { GOTO_API_URL: served.url, GOTO_OAUTH_URL: served.url },
    credentials,
    behave: () => undefined,
    newEvent: newKey,
    registrants: (event) => {
      const found = events.get(event) ?? new Map<string, KnownRegistrant>();
      events.set(event, found);
      return found;
    },
    report: (event, rows, pageSize = 100) => void reports.set(event, { rows, pageSize }),
    endTokens: () => tokens.clear(),
    revoke: () => {
      isRevoked = true;
      tokens.clear();
    },
    tokensGiven: () => given,
  };
  return simulated;
}

/** One attendee with every time in the room, where Zoom tells of each by itself. */
function grouped(rows: readonly Participant[]): object[] {
  const people = Map.groupBy(rows, ({ registrant_id, user_email }, at) =>
    registrant_id === undefined && user_email === undefined
      ? String(at)
      : JSON.stringify([registrant_id, user_email]),
  );
  return [...people.values()].map((times) => ({
    registrantKey: times[0]!.registrant_id ?? newKey(),
    sessionKey: newKey(),
    firstName: 'Some',
    lastName: 'Body',
    email: times[0]!.user_email ?? '',
    attendanceTimeInSeconds: 600 * times.length,
    attendance: times
      .filter(({ leave_time }) => leave_time !== undefined)
      .map(({ join_time, leave_time }) => ({ joinTime: join_time ?? leave_time, leaveTime: leave_time })),
  }));
}

/** As GoTo writes keys: as numbers, longer than JavaScript's. */
const writeWithKeys = (content: object): string =>
  JSON.stringify(content).replaceAll(/"(registrantKey|incident)":"(\d{16,})"/g, '"$1":$2');

function readCall(request: IncomingMessage, url: URL, text: string): PlatformCall {
  const path = `${request.method} ${url.pathname}`;
  const at = '/G2W/rest/v2/organizers/\\d+/webinars/(\\d+)';
  const registering = new RegExp(`^POST ${at}/registrants$`).exec(path);
  const asking = new RegExp(`^GET ${at}/registrants/(\\d+)$`).exec(path);
  const reporting = new RegExp(`^GET ${at}/attendees$`).exec(path);
  const isToken = path === 'POST /oauth/token';
  const body = registering === null ? {} : (JSON.parse(text) as Record<string, unknown>);
  return {
    what: isToken ? 'token' : registering ? 'register' : asking ? 'ask' : reporting ? 'report' : 'other',
    path,
    event: (registering ?? asking ?? reporting)?.[1] ?? '',
    email: typeof body['email'] === 'string' ? body['email'].toLowerCase() : '',
    body,
    page: asking?.[2] ?? url.searchParams.get('page') ?? '',
    at: Date.now(),
  };
}
