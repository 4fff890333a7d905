import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { PlatformName } from '../../src/domain/webinars/platforms/registry.ts';

/** A request as it came. */
export interface PlatformCall {
  readonly what: 'token' | 'register' | 'ask' | 'report' | 'other';
  readonly path: string;
  readonly event: string;
  readonly email: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly page: string;
  readonly at: number;
}

export type Headers = Readonly<Record<string, string>>;

/** What it does instead of answering well: an error in its own shape, silence, a cut line, a token that ended, or late. */
export type Fault =
  | { readonly status: number; readonly code?: number; readonly message?: string; readonly headers?: Headers }
  | { readonly raw: string; readonly status?: number; readonly headers?: Headers }
  | { readonly pending: true }
  | { readonly after: Promise<unknown> }
  | 'expired'
  | 'silent'
  | 'reset'
  | undefined;

/** Once in the room. */
export interface Participant {
  readonly registrant_id?: string;
  readonly user_email?: string;
  readonly name?: string;
  readonly join_time?: string;
  readonly leave_time?: string;
  readonly status?: string;
}

export interface KnownRegistrant {
  readonly registrant_id: string;
  readonly join_url: string;
}

/** A webinar platform on this machine with one account, as far as tests of any platform need to know. */
export interface SimulatedPlatform {
  readonly platform: PlatformName;
  readonly url: string;
  /** As the service's configuration names it. */
  readonly settings: Readonly<Record<string, string>>;
  /** As connect_platform takes them. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly calls: PlatformCall[];
  behave: (call: PlatformCall) => Fault;
  /** The id of an event that nobody used before. */
  newEvent(): string;
  /** Of an event: the registrants by their address. */
  registrants(event: string): Map<string, KnownRegistrant>;
  /** What the report says, in pages of so many; an event without one is not known as one that took place. */
  report(event: string, participants: readonly Participant[], pageSize?: number): void;
  /** Every token given so far ends now. */
  endTokens(): void;
  readonly tokensGiven: () => number;
  /** How many calls were under way at a time, at most. */
  readonly most: () => number;
  stop(): Promise<void>;
}

export type Reply = (status: number, content: object, headers?: Headers) => void;

export interface Asked {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly text: string;
  readonly call: PlatformCall;
  readonly reply: Reply;
  readonly isPending: boolean;
}

interface Shape {
  readonly contentType: string;
  read(request: IncomingMessage, url: URL, text: string): PlatformCall;
  /** An error, in the platform's own shape. */
  error(status: number, code: number, message: string): object;
  readonly expired: { readonly code: number; readonly message: string };
  answer(asked: Asked): void;
  write(content: object): string;
}

/** What simulators have in common: they note every call, and do what they were told instead of answering well. */
export async function serveSimulation(shape: Shape, behave: (call: PlatformCall) => Fault) {
  const calls: PlatformCall[] = [];
  const sockets = new Set<Socket>();
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
    const url = new URL(request.url ?? '/', 'http://platform.test');
    const call = shape.read(request, url, text);
    calls.push(call);
    const reply: Reply = (status, content, headers = {}) =>
      void response
        .writeHead(status, { 'content-type': shape.contentType, ...headers })
        .end(shape.write(content));
    const told = behave(call);
    if (typeof told === 'object' && 'after' in told) await told.after;
    const fault = typeof told === 'object' && 'after' in told ? undefined : told;
    if (fault === 'silent') return;
    if (fault === 'reset') return void request.socket.resetAndDestroy();
    if (fault === 'expired') return reply(401, shape.error(401, shape.expired.code, shape.expired.message));
    if (fault !== undefined && 'raw' in fault)
      return void response.writeHead(fault.status ?? 200, fault.headers).end(fault.raw);
    if (fault !== undefined && 'status' in fault) {
      const { status, code = status, message = 'Not now.', headers } = fault;
      return reply(status, shape.error(status, code, message), headers);
    }
    shape.answer({ request, url, text, call, reply, isPending: fault !== undefined });
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    most: () => most,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
