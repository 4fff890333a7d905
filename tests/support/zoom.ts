import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as it came. */
export interface ZoomCall {
  readonly what: 'token' | 'register' | 'report' | 'other';
  readonly path: string;
  readonly event: string;
  readonly email: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly page: string;
  readonly at: number;
}

/** What it does instead of answering well: an error in Zoom's shape, silence, a cut line, a token that ended, or late. */
export type ZoomFault =
  | { readonly status: number; readonly code?: number; readonly message?: string; readonly headers?: Headers }
  | { readonly raw: string; readonly status?: number; readonly headers?: Headers }
  | { readonly pending: true }
  | { readonly after: Promise<unknown> }
  | 'expired'
  | 'silent'
  | 'reset'
  | undefined;
type Headers = Readonly<Record<string, string>>;

export interface Participant {
  readonly registrant_id?: string;
  readonly user_email?: string;
  readonly name?: string;
  readonly join_time?: string;
  readonly leave_time?: string;
  readonly status?: string;
}

/** Zoom's webinars for one account, in the shapes its documentation shows, on this machine. */
export interface Zoom {
  readonly url: string;
  readonly credentials: {
    account_id: string;
    client_id: string;
    client_secret: string;
    webhook_secret_token: string;
  };
  readonly calls: ZoomCall[];
  behave: (call: ZoomCall) => ZoomFault;
  /** Of an event: the registrants by their address. */
  registrants(event: string): Map<string, { registrant_id: string; join_url: string }>;
  /** What the report says, in pages of so many; an event without one is not known as one that took place. */
  report(event: string, participants: readonly Participant[], pageSize?: number): void;
  /** Every token given so far ends now. */
  endTokens(): void;
  /** Tells an endpoint of something, signed as Zoom signs. */
  tell(url: string, event: string, payload: object, how?: { secret?: string; at?: Date }): Promise<Response>;
  readonly tokensGiven: () => number;
  readonly most: () => number;
  stop(): Promise<void>;
}

export async function startZoom(): Promise<Zoom> {
  const credentials = {
    account_id: 'AnAccountOfTests',
    client_id: 'AClientOfTests',
    client_secret: `cs_${randomBytes(12).toString('hex')}`,
    webhook_secret_token: `wh_${randomBytes(12).toString('hex')}`,
  };
  const events = new Map<string, Map<string, { registrant_id: string; join_url: string }>>();
  const reports = new Map<string, { rows: readonly Participant[]; pageSize: number }>();
  const tokens = new Set<string>();
  const sockets = new Set<Socket>();
  const calls: ZoomCall[] = [];
  let given = 0;
  let atOnce = 0;
  let most = 0;

  const server = createServer((request, response) => {
    atOnce++;
    most = Math.max(most, atOnce);
    response.on('close', () => atOnce--);
    // Whoever asked hung up in the middle of it.
    answer(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => sockets.add(socket));

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const part of request) text += String(part);
    const url = new URL(request.url ?? '/', 'http://zoom.test');
    const call = readCall(request, url, text);
    calls.push(call);
    const reply = (status: number, content: object, headers: Headers = {}) =>
      void response
        .writeHead(status, { 'content-type': 'application/json;charset=UTF-8', ...headers })
        .end(JSON.stringify(content));
    const told = zoom.behave(call);
    if (typeof told === 'object' && 'after' in told) await told.after;
    const fault = typeof told === 'object' && 'after' in told ? undefined : told;
    if (fault === 'silent') return;
    if (fault === 'reset') return void request.socket.resetAndDestroy();
    if (fault === 'expired') return reply(401, { code: 124, message: 'Access token is expired.' });
    if (fault !== undefined && 'raw' in fault)
      return void response.writeHead(fault.status ?? 200, fault.headers).end(fault.raw);
    if (fault !== undefined && 'status' in fault) {
      const { status, code = status, message = 'Not now.', headers } = fault;
      return reply(status, { code, message }, headers);
    }
    if (call.what === 'token') return giveToken(request, text, reply);
    if (!tokens.has(request.headers.authorization ?? ''))
      return reply(401, { code: 124, message: 'Invalid access token.' });
    if (call.what === 'register') return register(call, fault !== undefined, reply);
    if (call.what === 'report') return readReport(call, url, reply);
    reply(404, { code: 404, message: 'Nothing is here.' });
  };

  type Reply = (status: number, content: object, headers?: Headers) => void;

  const giveToken = (request: IncomingMessage, text: string, reply: Reply): void => {
    const asked = new URLSearchParams(text);
    const { account_id, client_id, client_secret } = credentials;
    const wanted = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
    if (request.headers.authorization !== wanted)
      return reply(400, { reason: 'Invalid client_id or client_secret', error: 'invalid_client' });
    if (asked.get('grant_type') !== 'account_credentials' || asked.get('account_id') !== account_id)
      return reply(400, { reason: 'Bad Request', error: 'invalid_request' });
    const access_token = randomBytes(24).toString('base64url');
    tokens.add(`Bearer ${access_token}`);
    given++;
    reply(200, { access_token, token_type: 'bearer', expires_in: 3_599, scope: 'webinar:write:admin' });
  };

  const register = ({ event, email, body }: ZoomCall, isPending: boolean, reply: Reply): void => {
    if (email === '' || typeof body['first_name'] !== 'string' || body['first_name'] === '')
      return reply(400, { code: 300, message: 'Validation Failed.', errors: [] });
    const known = zoom.registrants(event);
    const registrant_id = known.get(email)?.registrant_id ?? randomBytes(16).toString('base64url');
    const join_url = `https://us02web.zoom.example/w/${event}?tk=${registrant_id}`;
    known.set(email, { registrant_id, join_url });
    const added = { id: Number(event), registrant_id, topic: 'Webinar', start_time: '2030-01-01T10:00:00Z' };
    reply(201, isPending ? added : { ...added, join_url });
  };

  const readReport = ({ event, page }: ZoomCall, url: URL, reply: Reply): void => {
    const report = reports.get(event);
    if (report === undefined) return reply(404, { code: 3001, message: `Webinar does not exist: ${event}.` });
    const size = Math.min(Number(url.searchParams.get('page_size') ?? 30), report.pageSize);
    const from = page === '' ? 0 : Number(page.slice('page-'.length));
    const withIds = url.searchParams.get('include_fields') === 'registrant_id';
    const participants = report.rows.slice(from, from + size).map(({ registrant_id, ...row }) => ({
      id: randomBytes(6).toString('hex'),
      user_email: '',
      name: 'Somebody',
      duration: 600,
      status: 'in_meeting',
      ...row,
      ...(withIds && { registrant_id: registrant_id ?? '' }),
    }));
    const next_page_token = from + size < report.rows.length ? `page-${from + size}` : '';
    reply(200, {
      page_size: size,
      total_records: report.rows.length,
      next_page_token,
      participants,
    });
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const zoom: Zoom = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials,
    calls,
    behave: () => undefined,
    registrants: (event) => {
      const found = events.get(event) ?? new Map<string, { registrant_id: string; join_url: string }>();
      events.set(event, found);
      return found;
    },
    report: (event, rows, pageSize = 300) => void reports.set(event, { rows, pageSize }),
    endTokens: () => tokens.clear(),
    tell: (url, event, payload, { secret = credentials.webhook_secret_token, at = new Date() } = {}) => {
      const body = JSON.stringify({ event, event_ts: at.getTime(), payload });
      const timestamp = String(Math.floor(at.getTime() / 1_000));
      const signed = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'x-zm-request-timestamp': timestamp,
        'x-zm-signature': `v0=${signed}`,
      };
      return fetch(url, { method: 'POST', headers, body });
    },
    tokensGiven: () => given,
    most: () => most,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return zoom;
}

function readCall(request: IncomingMessage, url: URL, text: string): ZoomCall {
  const path = `${request.method} ${url.pathname}`;
  const registering = /^POST \/v2\/webinars\/(\d+)\/registrants$/.exec(path);
  const reporting = /^GET \/v2\/report\/webinars\/(\d+)\/participants$/.exec(path);
  const isToken = path === 'POST /oauth/token';
  const body = registering === null ? {} : (JSON.parse(text) as Record<string, unknown>);
  return {
    what: isToken ? 'token' : registering ? 'register' : reporting ? 'report' : 'other',
    path,
    event: (registering ?? reporting)?.[1] ?? '',
    email: typeof body['email'] === 'string' ? body['email'].toLowerCase() : '',
    body,
    page: url.searchParams.get('next_page_token') ?? '',
    at: Date.now(),
  };
}

/** As Zoom says that somebody was registered three times today. */
export const dailyLimit = (email: string): ZoomFault => ({
  status: 429,
  message:
    'You have exceeded the daily rate limit of (3) for Add a webinar registrant API requests for the registrant ' +
    `(${email}). You can resume these API requests at GMT 00:00:00.`,
  headers: { 'x-ratelimit-type': 'Daily-limit', 'x-ratelimit-category': 'Light' },
});
