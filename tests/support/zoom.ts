import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  serveSimulation,
  type Asked,
  type Fault,
  type KnownRegistrant,
  type Participant,
  type PlatformCall,
  type SimulatedPlatform,
} from './simulated-platform.ts';

/** Zoom's webinars for one account, in the shapes its documentation shows, on this machine. */
export interface Zoom extends SimulatedPlatform {
  readonly platform: 'zoom';
  readonly credentials: {
    readonly account_id: string;
    readonly client_id: string;
    readonly client_secret: string;
    readonly webhook_secret_token: string;
  };
  /** Tells an endpoint of something, signed as Zoom signs. */
  tell(url: string, event: string, payload: object, how?: { secret?: string; at?: Date }): Promise<Response>;
}

let number = 80_000_000_000;

export async function startZoom(): Promise<Zoom> {
  const credentials = {
    account_id: 'AnAccountOfTests',
    client_id: 'AClientOfTests',
    client_secret: `cs_${randomBytes(12).toString('hex')}`,
    webhook_secret_token: `wh_${randomBytes(12).toString('hex')}`,
  };
  const events = new Map<string, Map<string, KnownRegistrant>>();
  const reports = new Map<string, { rows: readonly Participant[]; pageSize: number }>();
  const tokens = new Set<string>();
  let given = 0;

  const served = await serveSimulation(
    {
      contentType: 'application/json;charset=UTF-8',
      read: readCall,
      error: (_status, code, message) => ({ code, message }),
      expired: { code: 124, message: 'Access token is expired.' },
      write: JSON.stringify,
      answer: (asked) => {
        const { call, reply, request } = asked;
        if (call.what === 'token') return giveToken(asked);
        if (!tokens.has(request.headers.authorization ?? ''))
          return reply(401, { code: 124, message: 'Invalid access token.' });
        if (call.what === 'register') return register(asked);
        if (call.what === 'report') return readReport(asked);
        reply(404, { code: 404, message: 'Nothing is here.' });
      },
    },
    (call) => zoom.behave(call),
  );

  const giveToken = ({ request, text, reply }: Asked): void => {
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

  const register = ({ call: { event, email, body }, isPending, reply }: Asked): void => {
    if (email === '' || typeof body['first_name'] !== 'string' || body['first_name'] === '')
      return reply(400, { code: 300, message: 'Validation Failed.', errors: [] });
    const known = zoom.registrants(event);
    const registrant_id = known.get(email)?.registrant_id ?? randomBytes(16).toString('base64url');
    const join_url = `https://us02web.zoom.example/w/${event}?tk=${registrant_id}`;
    known.set(email, { registrant_id, join_url });
    const added = { id: Number(event), registrant_id, topic: 'Webinar', start_time: '2030-01-01T10:00:00Z' };
    reply(201, isPending ? added : { ...added, join_url });
  };

  const readReport = ({ call: { event, page }, url, reply }: Asked): void => {
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

  const zoom: Zoom = {
    ...served,
    platform: 'zoom',
    settings: { ZOOM_API_URL: served.url, ZOOM_OAUTH_URL: served.url },
    credentials,
    behave: () => undefined,
    newEvent: () => String(number++),
    registrants: (event) => {
      const found = events.get(event) ?? new Map<string, KnownRegistrant>();
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
  };
  return zoom;
}

function readCall(request: IncomingMessage, url: URL, text: string): PlatformCall {
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
export const dailyLimit = (email: string): Fault => ({
  status: 429,
  message:
    'You have exceeded the daily rate limit of (3) for Add a webinar registrant API requests for the registrant ' +
    `(${email}). You can resume these API requests at GMT 00:00:00.`,
  headers: { 'x-ratelimit-type': 'Daily-limit', 'x-ratelimit-category': 'Light' },
});
