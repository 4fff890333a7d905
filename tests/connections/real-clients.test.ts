import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  UnauthorizedError as UnauthorizedV2,
} from '@modelcontextprotocol/client';
import type { Browser, BrowserContext } from 'playwright-core';
import { UnauthorizedError as UnauthorizedV1 } from 'sdk-v1/client/auth.js';
import { Client as ClientV1 } from 'sdk-v1/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from 'sdk-v1/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DocumentNetwork } from '../../src/domain/connections/fetch-document.ts';
import { addMember } from '../../src/domain/members/member.ts';
import { orgTransaction } from '../../src/database/org-transaction.ts';
import { goodPassword, newUser } from '../accounts/visitor.ts';
import { closePages, sharedBrowser } from '../support/browser.ts';
import { holdPort } from '../../src/main/free-ports.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong } from '../support/volume.ts';
import { openWorld, type World } from '../support/world.ts';
import { appOf, type App } from './app.ts';

let world: World;
let browser: Browser;
let url: string;
let app: App;

beforeAll(async () => {
  const held = await holdPort();
  await held.letGo();
  url = `http://localhost:${held.port}`;
  app = await appOf();
  const documentNetwork: DocumentNetwork = {
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    isAllowed: (address) => address === '127.0.0.1',
    ca: app.ca,
  };
  world = await openWorld({ env: { PORT: String(held.port), PUBLIC_URL: url }, documentNetwork });
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await world.close();
  await app.close();
});

/** A user in a browser that is not signed in yet. */
async function newOwner(): Promise<{ org: TestOrg; email: string; userId: string; context: BrowserContext }> {
  const org = await world.newOrg();
  const { email } = await newUser({ ...world, url });
  const { rows } = await world.admin.query('select id from auth.users where email = $1', [email]);
  const userId: string = rows[0].id;
  await orgTransaction(world.database, org.id, 'write', (db) =>
    addMember(db, org.id, { userId, email, role: 'owner' }, world.clock.now()),
  );
  return { org, email, userId, context: await browser.newContext() };
}

/** What the official clients ask of the program they are in: where to keep things, and to open a browser. */
function provider(clientMetadataUrl: string | undefined) {
  // oxlint-disable-next-line typescript/no-explicit-any
  const kept: Record<string, any> = {};
  return {
    kept,
    redirectUrl: app.callback,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    clientMetadata: {
      client_name: 'A client of the tests',
      redirect_uris: [app.callback],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'a state',
    clientInformation: () => kept['client'],
    saveClientInformation: (client: unknown) => void (kept['client'] = client),
    tokens: () => kept['tokens'],
    saveTokens: (tokens: unknown) => void (kept['tokens'] = tokens),
    redirectToAuthorization: (to: URL) => void (kept['url'] = to),
    saveCodeVerifier: (verifier: string) => void (kept['verifier'] = verifier),
    codeVerifier: () => kept['verifier'],
    saveDiscoveryState: (state: unknown) => void (kept['discovery'] = state),
    discoveryState: () => kept['discovery'],
  };
}
type Provider = ReturnType<typeof provider>;

/** One of the official clients, the same for the tests. */
interface Connecting {
  connect(): Promise<void>;
  finish(answered: URLSearchParams): Promise<void>;
  names(): Promise<string[]>;
  call(
    name: string,
    input: Record<string, unknown>,
  ): Promise<{ isError?: boolean; structuredContent?: unknown }>;
  close(): Promise<void>;
}

const about = { name: 'a client of the tests', version: '1.0.0' };
const target = () => new URL(`${url}/mcp`);

function v1(authProvider: Provider): Connecting {
  let client = new ClientV1(about);
  const transport = () => new HttpV1(target(), { authProvider: authProvider as never });
  let current = transport();
  return {
    connect: async () => {
      client = new ClientV1(about);
      current = transport();
      await client.connect(current as never);
    },
    finish: (answered) => current.finishAuth(answered.get('code')!),
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input) => (await client.callTool({ name, arguments: input })) as never,
    close: () => client.close(),
  };
}

const v2 =
  (mode: 'legacy' | { pin: string }) =>
  (authProvider: Provider): Connecting => {
    let client = new ClientV2(about, { versionNegotiation: { mode } });
    const transport = () => new HttpV2(target(), { authProvider: authProvider as never });
    let current = transport();
    return {
      connect: async () => {
        client = new ClientV2(about, { versionNegotiation: { mode } });
        current = transport();
        await client.connect(current);
      },
      finish: (answered) => current.finishAuth(answered),
      names: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, input) => (await client.callTool({ name, arguments: input })) as never,
      close: () => client.close(),
    };
  };

/** The user in the browser: signs in if asked to, ticks, and says yes. Answers with what the client is told. */
async function decide(
  context: BrowserContext,
  to: URL,
  email: string,
  tick: readonly string[] = [],
): Promise<URLSearchParams> {
  const page = await context.newPage();
  await page.goto(to.href);
  if (new URL(page.url()).pathname === '/sign-in') {
    await page.fill('#email', email);
    await page.fill('#password', goodPassword);
    await page.click('button.primary');
  }
  await page.waitForURL(`${url}/oauth/authorize?**`);
  for (const one of tick) await page.check(`[id="${one}"]`);
  const [answered] = await Promise.all([
    page.waitForRequest((request) => request.url().startsWith(app.callback)),
    page.click('button.primary'),
  ]);
  await page.close();
  return new URL(answered.url()).searchParams;
}

const isUnauthorized = (error: unknown): boolean =>
  error instanceof UnauthorizedV1 || error instanceof UnauthorizedV2;

const clients = [
  ['the client of SDK 1.32', v1, false, '403 after trying upscoping'],
  ['the v2 client, speaking 2025-11-25', v2('legacy'), false, 'Unauthorized'],
  ['the v2 client, speaking 2026-07-28', v2({ pin: '2026-07-28' }), false, 'Unauthorized'],
  ['the client of SDK 1.32, by its document', v1, true, '403 after trying upscoping'],
  ['the v2 client, by its document', v2({ pin: '2026-07-28' }), true, 'Unauthorized'],
] as const;
/** In the gate each way of speaking, and one by its document. */
const inGate: readonly string[] = [clients[0][0], clients[1][0], clients[4][0]];

describe.each(clients.filter(([name]) => isLong || inGate.includes(name)))(
  '%s',
  (_name, make, byDocument, told) => {
    test('registers, asks, calls, refreshes, asks for more, and ends', async () => {
      const { org, email, userId, context } = await newOwner();
      const person_id = await org.person({ email: 'somebody@example.com' });
      const auth = provider(byDocument ? app.documentUrl : undefined);
      const client = make(auth);

      await expect(client.connect()).rejects.toSatisfy(isUnauthorized);
      expect(auth.kept['client'].client_id === app.documentUrl).toBe(byDocument);
      await client.finish(await decide(context, auth.kept['url'], email));
      expect(auth.kept['tokens'].scope.split(' ')).not.toContain('people.delete');
      await client.connect();
      expect(await client.names()).toContain('delete_person');
      const read = await client.call('get_person', { person_id });
      expect(read.structuredContent).toMatchObject({ person: { id: person_id } });

      const before = auth.kept['tokens'];
      auth.kept['tokens'] = { ...before, access_token: `ra_${'x'.repeat(43)}` };
      expect((await client.call('get_person', { person_id })).isError).toBeFalsy();
      expect(auth.kept['tokens'].refresh_token).not.toBe(before.refresh_token);

      await expect(client.call('delete_person', { person_id })).rejects.toThrow(told);
      if (make === v1) {
        // It only refreshes when it is told that a scope is missing. The program has to let it ask anew.
        auth.kept['tokens'] = undefined;
        await client.call('delete_person', { person_id }).catch(() => undefined);
      }
      const asked: URL = auth.kept['url'];
      expect(asked.searchParams.get('scope')!.split(' ')).toContain('people.delete');
      await client.finish(await decide(context, asked, email, ['people.delete']));
      const deleted = await client.call('delete_person', { person_id });
      expect(deleted).toMatchObject({ structuredContent: { deleted: true } });
      const { rows } = await world.admin.query(
        "select actor_id from audit_log where org_id = $1 and operation = 'delete_person'",
        [org.id],
      );
      expect(rows).toEqual([{ actor_id: userId }]);

      const { access_token: token, refresh_token } = auth.kept['tokens'];
      const gone = await fetch(`${url}/oauth/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token: refresh_token, client_id: auth.kept['client'].client_id }),
      });
      expect(gone.status).toBe(200);
      await expect
        .poll(
          async () =>
            (await fetch(target(), { method: 'POST', headers: { authorization: `Bearer ${token}` } })).status,
        )
        .toBe(401);
      await client.close();
      await context.close();
    });
  },
);

test('consent page in a frame: no page shows it, whoever is signed in', async () => {
  const { email, context } = await newOwner();
  const auth = provider(undefined);
  const client = v2('legacy')(auth);
  await expect(client.connect()).rejects.toSatisfy(isUnauthorized);
  await decide(context, auth.kept['url'], email);
  const page = await context.newPage();
  app.trap = `<iframe src="${auth.kept['url'].href.replaceAll('&', '&amp;')}"></iframe>`;
  await page.goto(app.trapUrl);
  await expect.poll(() => page.frames().length).toBe(2);
  const text = await page
    .frames()[1]!
    .textContent('body')
    .catch(() => '');
  expect(text).not.toContain('act for you');
  await context.close();
});
