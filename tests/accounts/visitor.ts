import type { World } from '../support/world.ts';

export interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
  readonly headers: Headers;
  readonly cookies: readonly string[];
}

/** Somebody with a browser: keeps cookies as they are set, and says of each request what a browser says of it. */
export class Visitor {
  readonly #url: string;
  readonly jar = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    this.send(path, { headers: { 'sec-fetch-site': 'none', ...headers } });

  /** Sends a form of one of our own pages. */
  post = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    this.send(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'sec-fetch-site': 'same-origin', origin: this.#url, ...headers },
    });

  /** What a page's script sends. */
  call = (method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    this.send(path, {
      method,
      headers: {
        'auth-type': 'session',
        'sec-fetch-site': 'same-origin',
        ...(method !== 'GET' && { origin: this.#url }),
        ...headers,
      },
    });

  async send(path: string, init: RequestInit): Promise<Answer> {
    const cookie = Array.from(this.jar, ([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.#url + path, {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie !== '' && { cookie }), ...(init.headers as Record<string, string>) },
    });
    const cookies = response.headers.getSetCookie();
    for (const one of cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(one)!;
      if (value === '') this.jar.delete(name!);
      else this.jar.set(name!, value!);
    }
    return {
      status: response.status,
      location: response.headers.get('location'),
      text: await response.text(),
      headers: response.headers,
      cookies,
    };
  }

  get session(): string | undefined {
    return this.jar.get('__Host-rostrum-session');
  }
}

export const goodPassword = 'seven quiet otters';

/** The token of a link that an operator would hand out. */
export async function newLink(world: World, email: string, now = world.clock.now()): Promise<string> {
  const { accountTransaction } = await import('../../src/database/org-transaction.ts');
  const { makeLink } = await import('../../src/domain/accounts/links.ts');
  const { AccountEmail } = await import('../../src/domain/accounts/email.ts');
  return accountTransaction(world.database, 'write', async (db) => {
    const address = AccountEmail.parse(email);
    const user = await db
      .selectFrom('auth.users')
      .select('id')
      .where('email', '=', address)
      .executeTakeFirst();
    return makeLink(
      db,
      user === undefined
        ? { purpose: 'sign_up', email: address, userId: null }
        : { purpose: 'password', email: address, userId: user.id },
      now,
    );
  });
}

/** Moves the service's time on. Answers with how to move it back. */
export function moveOn(world: World, ms: number): () => void {
  const before = world.clock.now.bind(world.clock);
  world.clock.now = () => new Date(before().getTime() + ms);
  return () => {
    world.clock.now = before;
  };
}

let people = 0;

/** A user with an account and the browser that made it. */
export async function newUser(
  world: World,
  password = goodPassword,
): Promise<{ email: string; visitor: Visitor }> {
  const email = `user${++people}@example.com`;
  const visitor = new Visitor(world.url);
  await visitor.post(`/link/${await newLink(world, email)}`, { password });
  return { email, visitor };
}

/** The user in another browser. */
export async function signedIn(world: World, email: string, password = goodPassword): Promise<Visitor> {
  const visitor = new Visitor(world.url);
  await visitor.post('/sign-in', { email, password });
  return visitor;
}
