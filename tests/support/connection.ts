import { createHash, randomBytes } from 'node:crypto';
import { permissions, type Permission, type Role } from '../../src/kernel/caller.ts';
import { Visitor } from '../accounts/visitor.ts';
import { newMember, type TestMember } from './member.ts';
import { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

const callback = 'http://127.0.0.1:3999/callback';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly token_type: string;
}

/** A program as the authorization server sees it: it registers, asks, and keeps what it gets. */
export class TestClient {
  readonly url: string;
  readonly id: string;
  readonly redirectUri: string;
  readonly verifier = randomBytes(32).toString('base64url');

  constructor(url: string, id: string, redirectUri = callback) {
    this.url = url;
    this.id = id;
    this.redirectUri = redirectUri;
  }

  get challenge(): string {
    return createHash('sha256').update(this.verifier).digest('base64url');
  }

  /** What it sends the browser to. */
  request(changes: Record<string, string | undefined> = {}): string {
    const asked = {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: this.redirectUri,
      code_challenge: this.challenge,
      code_challenge_method: 'S256',
      state: 'a state',
      resource: `${this.url}/mcp`,
      ...changes,
    };
    const kept = Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return new URLSearchParams(kept).toString();
  }

  token = (fields: Record<string, string>): Promise<{ status: number; body: Tokens & { error?: string } }> =>
    post(`${this.url}/oauth/token`, { client_id: this.id, resource: `${this.url}/mcp`, ...fields });

  exchange = (code: string, changes: Record<string, string> = {}) =>
    this.token({
      grant_type: 'authorization_code',
      code,
      code_verifier: this.verifier,
      redirect_uri: this.redirectUri,
      ...changes,
    });

  refresh = (token: string) => this.token({ grant_type: 'refresh_token', refresh_token: token });

  revoke = (token: string) => post(`${this.url}/oauth/revoke`, { client_id: this.id, token });
}

async function post(url: string, fields: Record<string, string>) {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text === '' ? '{}' : text) };
}

export async function register(url: string, metadata: Record<string, unknown> = {}) {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Desk assistant', redirect_uris: [callback], ...metadata }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

export async function newClient(world: World, redirectUri = callback): Promise<TestClient> {
  const { body } = await register(world.url, { redirect_uris: [redirectUri] });
  return new TestClient(world.url, body.client_id, redirectUri);
}

/** The member's browser. */
export function browserOf(member: TestMember): Visitor {
  const visitor = new Visitor(member.url);
  visitor.jar.set('__Host-rostrum-session', member.user.token);
  return visitor;
}

/** What the user answers on the page. */
export const answerForm = (asked: string, org: string, ticked: readonly Permission[], answer = 'yes') => ({
  asked,
  organization_id: org,
  answer,
  ...Object.fromEntries(ticked.map((one) => [`allow ${one}`, 'yes'])),
});

/** The address that the user is sent to after a yes. */
export async function consent(
  client: TestClient,
  member: TestMember,
  ticked: readonly Permission[] = permissions,
  changes: Record<string, string> = {},
): Promise<URL> {
  const asked = client.request(changes);
  const { location, status, text } = await browserOf(member).post(
    '/oauth/authorize',
    answerForm(asked, member.id, ticked),
  );
  if (location === null) throw new Error(`consent answered ${status}: ${text}`);
  return new URL(location);
}

/** One organization seen through a connection that one of its members granted. It calls tools, and nothing else. */
export class TestConnection extends TestOrg {
  readonly client: TestClient;
  readonly member: TestMember;
  readonly tokens: Tokens;

  constructor(client: TestClient, member: TestMember, tokens: Tokens) {
    super(member.url, member.id, '', tokens.access_token);
    this.client = client;
    this.member = member;
    this.tokens = tokens;
  }

  /** What the user is to be asked for is a refusal too. */
  override async rpc(method: string, params: unknown): Promise<unknown> {
    const answer = (await super.rpc(method, params)) as { code?: string; detail?: string };
    if (answer.code === undefined) return answer;
    return { result: { isError: true, structuredContent: answer, content: [{ text: answer.detail }] } };
  }

  /** What a call of a tool is answered before any tool runs. */
  async call(name: string, args: unknown = {}, token = this.secret): Promise<Response> {
    return fetch(`${this.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    });
  }
}

export async function connect(
  member: TestMember,
  client: TestClient,
  ticked: readonly Permission[] = permissions,
): Promise<TestConnection> {
  const answered = await consent(client, member, ticked);
  const { status, body } = await client.exchange(answered.searchParams.get('code') ?? '');
  if (status !== 200) throw new Error(`the code was answered ${status}: ${JSON.stringify(body)}`);
  return new TestConnection(client, member, body);
}

/** One client for all connections of a file: no more than 50 may register in an hour. */
const clients = new WeakMap<World, Promise<TestClient>>();

export async function newConnection(
  world: World,
  org: Pick<TestOrg, 'id'>,
  ticked: readonly Permission[] = permissions,
  role: Role = 'owner',
): Promise<TestConnection> {
  const client = clients.get(world) ?? newClient(world);
  clients.set(world, client);
  return connect(await newMember(world, org, role), await client, ticked);
}
