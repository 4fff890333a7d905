import fc from 'fast-check';
import pino from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { publicUrls, trapLink } from '../../src/domain/delivery/outgoing/public-urls.ts';
import { buildApi } from '../../src/main/build-api.ts';
import { custom, user } from '../content/paths.ts';
import { newWebinar, register } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import { triesOfService } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import {
  browser,
  follow,
  hitsOf,
  newPeople,
  partsOf,
  sendTo,
  type SentBroadcast,
  type SentMessage,
} from './sent-broadcast.ts';

const world = useWorld();
let org: TestOrg;
let sent: SentBroadcast;
let message: SentMessage;

beforeAll(async () => {
  org = await world().newOrg();
  sent = await sendTo(world(), org, await newPeople(org, 1));
  message = sent.messages[0]!;
});

const isPrivate = ({ headers }: Response): void => {
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-robots-tag')).toContain('noindex');
  expect(headers.get('set-cookie')).toBeNull();
};

test('the picture is one pixel of 43 bytes that is fetched each time', async () => {
  const answer = await follow(message.urls.open);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('image/gif');
  isPrivate(answer);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes).toHaveLength(43);
  expect(bytes.toString('latin1', 0, 6)).toBe('GIF89a');
  const head = await follow(message.urls.open, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '43']);
});

test('a link leads to the address that was in the body', async () => {
  for (const [link, url] of ['https://a.example/1', 'https://a.example/2?x=1&y=2'].entries()) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await follow(message.urls.click(link), { method });
      expect([answer.status, answer.headers.get('location')]).toEqual([302, url]);
      isPrivate(answer);
    }
  }
});

test('what was fetched is written down before it is answered, with when, how and by what', async () => {
  const [one] = (await sendTo(world(), org, [message.person])).messages;
  const before = Date.now();
  await follow(one!.urls.click(1), { agent: `${browser} ${'x'.repeat(400)}` });
  const after = Date.now();
  await follow(one!.urls.open, { method: 'HEAD', agent: 'curl/8' });
  const [click, open] = await hitsOf(world(), { id: '', messages: [one!] });
  expect(click).toMatchObject({ kind: 'click', link: 1, method: 'GET', verdict: null, why: null });
  expect(click!.agent).toHaveLength(300);
  expect(click!.at.getTime()).toBeGreaterThanOrEqual(before);
  expect(click!.at.getTime()).toBeLessThanOrEqual(after);
  expect(open).toMatchObject({
    kind: 'open',
    link: null,
    method: 'HEAD',
    agent: 'curl/8',
    verdict: 'machine',
  });
});

test('hits of a test organization are by its own clock', async () => {
  const ahead = await world().newOrg();
  const days = 10;
  const later = new Date(Date.now() + days * 86_400_000).toISOString();
  expect((await ahead.rest('POST /v1/test-clock', { now: later })).status).toBe(200);
  const there = await sendTo(world(), ahead, await newPeople(ahead, 1));
  await follow(there.messages[0]!.urls.open);
  const [hit] = await hitsOf(world(), there);
  expect((hit!.at.getTime() - Date.now()) / 86_400_000).toBeCloseTo(days, 2);
});

describe('there is no way to be sent elsewhere', () => {
  test('a token that was changed, cut or made for something else leads nowhere', async () => {
    const token = (url: string): string => url.slice(url.lastIndexOf('/') + 1);
    const click = token(message.urls.click(0));
    const others = [
      token(message.urls.open),
      token(message.urls.unsubscribe),
      token(publicUrls(partsOf(world()).keys, '', { org: org.id, delivery: 1e9 }).open),
    ];
    const changed = fc
      .tuple(fc.nat(click.length - 1), fc.integer({ min: 0, max: 35 }))
      .map(([at, digit]) => click.slice(0, at) + digit.toString(36) + click.slice(at + 1))
      .filter((text) => text !== click);
    const any = fc.oneof(
      changed,
      fc.nat(click.length - 1).map((length) => click.slice(0, length)),
      fc.string({ minLength: 1, maxLength: 80 }).map(encodeURIComponent),
      fc.constantFrom(...others, 'https%3A%2F%2Fevil.example', '..%2f..%2fhealth', `${click}0`),
    );
    await fc.assert(
      fc.asyncProperty(any, async (tried) => {
        for (const path of ['/t/c/', '/t/o/']) {
          if (path === '/t/o/' && tried === others[0]) continue;
          if (path === '/t/o/' && tried === others[2]) continue;
          const answer = await follow(`${world().url}${path}${tried}`);
          expect([400, 404]).toContain(answer.status);
          expect(answer.headers.get('location')).toBeNull();
        }
      }),
      triesOfService(300),
    );
  });

  test('what is added to the address changes nothing', async () => {
    const url = `${message.urls.click(0)}?url=https://evil.example&to=//evil.example`;
    expect((await follow(url)).headers.get('location')).toBe('https://a.example/1');
  });

  test('a link that the message does not have leads to a page', async () => {
    const answer = await follow(message.urls.click(2));
    expect([answer.status, answer.headers.get('location')]).toEqual([410, null]);
    expect(await answer.text()).toContain('leads nowhere');
  });

  test('the trap leads to a page, and is written down as what it is', async () => {
    const answer = await follow(message.urls.click(trapLink));
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    expect((await hitsOf(world(), sent)).at(-1)).toMatchObject({
      link: trapLink,
      verdict: 'machine',
      why: 'trap',
    });
  });
});

describe('a placeholder link', () => {
  const html = '<p><a href="{{link_var_own}}">go</a> <a href="{{link_var_join}}">join</a></p>';

  test('leads each person to where its value says now', async () => {
    await org.rest('POST /v1/property-configs', { key: 'page', name: 'Page', type: 'string' });
    const [ada = '', bob = '', eve = '', gone = ''] = await newPeople(org, 4);
    const set = (person: string, value: string) =>
      org.rest(`PUT /v1/people/${person}/properties/page`, { value });
    await set(ada, 'https://ada.example/');
    await set(bob, 'https://bob.example/');
    await set(eve, 'javascript:alert(1)');
    await set(gone, 'https://gone.example/');
    const webinar_id = await newWebinar(world(), org, { join_url: 'https://all.example/join' });
    await register(world(), org, webinar_id, ada, { join_url: 'https://all.example/ada' });
    const variables = {
      link_var_own: { variable: custom('page'), fallback: 'https://fallback.example/' },
      link_var_join: { variable: '{{context.root_context.join_url}}' },
    };
    const fields = { audience: 'webinar', webinar_id, html, variables };
    const { messages } = await sendTo(world(), org, [ada, bob, eve, gone], fields);
    await org.rest(`DELETE /v1/people/${gone}`);
    const where = (link: number) =>
      Promise.all(messages.map(async ({ urls }) => (await follow(urls.click(link))).headers.get('location')));
    expect(await where(0)).toEqual([
      'https://ada.example/',
      'https://bob.example/',
      'https://fallback.example/',
      'https://fallback.example/',
    ]);
    expect((await where(1)).slice(0, 2)).toEqual(['https://all.example/ada', 'https://all.example/join']);
    await set(ada, 'https://ada.example/moved');
    expect((await where(0))[0]).toBe('https://ada.example/moved');
  });

  test('whose value is no link of the web any more leads to a page', async () => {
    const [person = ''] = await newPeople(org, 1);
    const variables = { link_var_own: { variable: user('first_name'), fallback: 'mailto:a@b.example' } };
    const body = { html: '<p><a href="{{link_var_own}}">go</a></p>', variables };
    const [one] = (await sendTo(world(), org, [person], body)).messages;
    const answer = await follow(one!.urls.click(0));
    expect([answer.status, answer.headers.get('location')]).toEqual([410, null]);
  });

  test('leads on after the person was merged into another', async () => {
    const kept = await org.person({ email: 'kept@merge.example' });
    const folded = await org.person({ phone: '+15550107777' });
    await org.rest(`PUT /v1/people/${kept}/properties/page`, { value: 'https://kept.example/' });
    const variables = { link_var_own: { variable: custom('page'), fallback: 'https://fallback.example/' } };
    const body = { html: '<p><a href="{{link_var_own}}">go</a></p>', variables };
    const [one] = (await sendTo(world(), org, [folded], body)).messages;
    await org.rest('POST /v1/people/identify', { email: 'kept@merge.example', phone: '+15550107777' });
    expect((await follow(one!.urls.click(0))).headers.get('location')).toBe('https://kept.example/');
  });
});

test('logs hold neither tokens nor addresses', () => {
  const lines = world().logLines.filter((line) => line.includes('"face":"public"'));
  expect(lines.length).toBeGreaterThan(10);
  const all = world().logLines.join('\n');
  for (const url of [message.urls.open, message.urls.click(0), message.urls.click(1)]) {
    expect(all).not.toContain(url.slice(url.lastIndexOf('/') + 1));
  }
  expect(all).not.toContain('/t/c/');
  expect(all).not.toContain('a.example');
});

test('while the database is away, the picture is there and a link asks to come again', async () => {
  const pool = openPool({ url: 'postgres://nobody@127.0.0.1:1/none', size: 2, onError: () => undefined });
  const { config, clock } = world();
  const database = openDatabase(pool);
  const app = await buildApi({ config, database, clock, log: pino({ level: 'silent' }) });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const away = publicUrls(partsOf(world()).keys, url, { org: org.id, delivery: message.delivery });
  const [picture, link, post] = [
    await follow(away.open),
    await follow(away.click(0)),
    await follow(away.unsubscribe, { method: 'POST' }),
  ];
  expect([picture.status, (await picture.arrayBuffer()).byteLength]).toEqual([200, 43]);
  for (const answer of [link, post]) {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await answer.text()).toContain('Please try again');
  }
  await app.close();
  await pool.end();
});
