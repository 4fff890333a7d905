import type { OrgId } from '../../src/kernel/ids.ts';
import { httpCall } from './http-call.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

export interface RestAnswer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

export interface ToolAnswer {
  readonly isError: boolean;
  /** structuredContent: the output, or the problem object of a refusal. */
  readonly body: Json;
  readonly text: string;
}

/** One organization seen through one of its keys, over both faces. */
export class TestOrg {
  readonly url: string;
  readonly id: OrgId;
  readonly keyId: string;
  readonly secret: string;

  constructor(url: string, id: OrgId, keyId: string, secret: string) {
    this.url = url;
    this.id = id;
    this.keyId = keyId;
    this.secret = secret;
  }

  /** What a request over REST carries to be let in. */
  get credential(): Record<string, string> {
    return { authorization: this.secret, 'auth-type': 'api' };
  }

  /** `org.rest('PATCH /v1/people/…/opt-outs', { email_opt_out: true })` */
  async rest(route: string, body?: unknown, headers: Record<string, string> = {}): Promise<RestAnswer> {
    const [method = 'GET', path = '/'] = route.split(' ', 2);
    const {
      status,
      headers: answered,
      text,
    } = await httpCall(this.url + path, {
      method,
      headers: { ...this.credential, 'content-type': 'application/json', ...headers },
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status, body: text === '' ? undefined : parse(text), headers: answered };
  }

  /** Calls a tool with plain JSON-RPC. */
  async tool(name: string, args: unknown = {}): Promise<ToolAnswer> {
    const answer = await this.rpc('tools/call', { name, arguments: args });
    if (answer.error !== undefined) throw new Error(`protocol error: ${JSON.stringify(answer.error)}`);
    const { result } = answer;
    return { isError: result.isError === true, body: result.structuredContent, text: result.content[0].text };
  }

  async toolNames(): Promise<string[]> {
    const { result } = await this.rpc('tools/list', {});
    return result.tools.map((tool: { name: string }) => tool.name);
  }

  async rpc(method: string, params: unknown): Promise<Json> {
    const { text } = await httpCall(`${this.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return JSON.parse(text);
  }

  /** The usual way to have somebody there: identified over REST, the id returned. */
  async person(fields: Record<string, unknown>): Promise<string> {
    const { status, body } = await this.rest('POST /v1/people/identify', fields);
    if (status !== 200) throw new Error(`identify answered ${status}: ${JSON.stringify(body)}`);
    return body.person_id;
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
