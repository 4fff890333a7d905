import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A message as it was asked for. */
export interface Asked {
  readonly sid: string;
  readonly To: string;
  readonly From: string;
  readonly Body: string;
  readonly StatusCallback: string;
}

/** What it does with a message: an error in the documented shape, an HTTP status by itself, silence, or a cut line. */
export type Behaviour =
  | { readonly code: number; readonly status?: number }
  | { readonly status: number; readonly body?: string; readonly location?: string }
  | 'silent'
  | 'reset'
  | undefined;

/** Twilio's messages, in the shapes its documentation shows, on this machine. */
export interface Twilio {
  readonly baseUrl: string;
  readonly accountSid: string;
  readonly authToken: string;
  readonly messages: Asked[];
  /** How many connections were made. */
  readonly connections: () => number;
  behave: (asked: Omit<Asked, 'sid'>) => Behaviour | Promise<Behaviour>;
  /** Calls a status callback, by the address it was given but at `at`, where a proxy would send it. */
  callBack(asked: Asked, at: string, fields: Readonly<Record<string, string>>): Promise<Response>;
  /** Hands over a text that came in. */
  deliver(publicUrl: string, at: string, fields: Readonly<Record<string, string>>): Promise<Response>;
  stop(): Promise<void>;
}

export async function startTwilio(): Promise<Twilio> {
  const accountSid = `AC${'0123456789abcdef'.repeat(2)}`;
  const authToken = 'a token that is only for tests';
  const messages: Asked[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((request, response) => void answer(request, response));
  server.on('connection', (socket) => {
    connections++;
    sockets.add(socket);
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const part of request) body += String(part);
    const reply = (status: number, content: object, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(content));
    const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
    if (request.headers.authorization !== expected)
      return void reply(401, problem(20003, 401, 'Authenticate'));
    if (request.url !== `/2010-04-01/Accounts/${accountSid}/Messages.json` || request.method !== 'POST') {
      return void reply(404, problem(20404, 404, 'The requested resource was not found'));
    }
    const asked = Object.fromEntries(new URLSearchParams(body)) as unknown as Omit<Asked, 'sid'>;
    const behaviour = await twilio.behave(asked);
    if (behaviour === 'silent') return;
    if (behaviour === 'reset') return void request.socket.resetAndDestroy();
    if (behaviour !== undefined && 'code' in behaviour) {
      const { code, status = 400 } = behaviour;
      return void reply(status, problem(code, status, `The message to ${asked.To} cannot be sent`));
    }
    if (behaviour !== undefined) {
      const { status, body: content = '', location } = behaviour;
      return void response.writeHead(status, location === undefined ? {} : { location }).end(content);
    }
    const sid = `SM${(messages.length + 1).toString(16).padStart(32, '0')}`;
    messages.push({ sid, ...asked });
    reply(201, created(accountSid, sid, asked));
  };

  const sign = (url: string, fields: Readonly<Record<string, string>>): string =>
    createHmac('sha1', authToken)
      .update(
        Object.keys(fields)
          .toSorted()
          .reduce((said, name) => said + name + fields[name], url),
      )
      .digest('base64');

  const post = (signed: string, at: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(at, {
      method: 'POST',
      headers: {
        'x-twilio-signature': sign(signed, fields),
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      },
      body: new URLSearchParams(fields).toString(),
    });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const twilio: Twilio = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accountSid,
    authToken,
    messages,
    connections: () => connections,
    behave: () => undefined,
    callBack: (asked, at, fields) => {
      const { sid, To, From } = asked;
      const signed = asked.StatusCallback.replace(/#.*$/, ''); // overrides are neither sent nor signed
      const said = {
        MessageSid: sid,
        SmsSid: sid,
        AccountSid: accountSid,
        To,
        From,
        ApiVersion: '2010-04-01',
      };
      const status = fields['MessageStatus'] ?? '';
      const { pathname, search } = new URL(signed);
      return post(signed, at + pathname + search, { ...said, SmsStatus: status, ...fields });
    },
    deliver: (publicUrl, at, fields) =>
      post(`${publicUrl}/webhooks/twilio/inbound`, `${at}/webhooks/twilio/inbound`, {
        MessageSid: `SM${'f'.repeat(32)}`,
        AccountSid: accountSid,
        NumMedia: '0',
        NumSegments: '1',
        ApiVersion: '2010-04-01',
        ...fields,
      }),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return twilio;
}

const problem = (code: number, status: number, message: string) => ({
  code,
  message,
  more_info: `https://www.twilio.com/docs/errors/${code}`,
  status,
});

const created = (account_sid: string, sid: string, { To, From, Body }: Omit<Asked, 'sid'>) => ({
  account_sid,
  api_version: '2010-04-01',
  body: Body,
  date_created: 'Sun, 15 Nov 2026 10:00:00 +0000',
  date_sent: null,
  date_updated: 'Sun, 15 Nov 2026 10:00:00 +0000',
  direction: 'outbound-api',
  error_code: null,
  error_message: null,
  from: From,
  messaging_service_sid: null,
  num_media: '0',
  num_segments: '1',
  price: null,
  price_unit: 'USD',
  sid,
  status: 'queued',
  to: To,
  uri: `/2010-04-01/Accounts/${account_sid}/Messages/${sid}.json`,
});
