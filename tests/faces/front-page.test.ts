import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const get = async (path: string) => {
  const response = await fetch(world().url + path);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test('the address itself is a page for people: what this is, and where the rest is', async () => {
  const { status, headers, text } = await get('/');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  const { publicUrl } = mailSettings(world().config);
  for (const place of ['"/docs/"', '"/v1/openapi.json"', '"/health"', '"/llms.txt"', `${publicUrl}/mcp`])
    expect(text).toContain(place);
});

test('every link of the front page and of the errors leads somewhere', async () => {
  for (const page of ['/', '/docs/errors', '/docs/errors/plan_stale'])
    for (const [, path] of (await get(page)).text.matchAll(/href="([^"]+)"/g))
      expect([path, (await get(path!)).status]).toEqual([path, 200]);
});

test('/llms.txt tells models how to call it, and every tool there is', async () => {
  const { headers, text } = await get('/llms.txt');
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/^# Rostrum\n\n> /);
  const tools = Array.from(text.matchAll(/^- (\w+): /gm), ([, name]) => name);
  expect(tools).toEqual(operations.filter(({ faces }) => 'tool' in faces).map(({ name }) => name));
});

test('pages say what they may load: nothing but their own style, and the reference nothing from elsewhere', async () => {
  for (const page of ['/', '/docs/errors']) {
    const policy = (await get(page)).headers.get('content-security-policy');
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^ ]+';/);
    expect(policy).toContain("frame-ancestors 'none'");
  }
  const policy = (await get('/docs/')).headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toMatch(/https?:|\*/);
});

test("the reference is shown under that policy, without buttons to its maker's services", async () => {
  const profile = await mkdtemp(join(tmpdir(), 'rostrum-browser-'));
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  const wait = ['--virtual-time-budget=4000', '--dump-dom'];
  const { stdout } = await promisify(execFile)(
    'chromium-headless-shell',
    [...flags, `--user-data-dir=${profile}`, ...wait, `${world().url}/docs/`],
    { maxBuffer: 64 * 1024 * 1024, timeout: 120_000 },
  );
  await rm(profile, { recursive: true, force: true });
  expect(stdout).toContain('<title>Rostrum API</title>');
  expect(stdout).toContain('Search people');
  expect(stdout.replaceAll(/<[^>]+>/g, '')).toContain('Auth-Type: api');
  expect(stdout).not.toMatch(/Open API Client|Ask AI|Generate MCP|Deploy|Share<|Configure/);
  const elsewhere = Array.from(stdout.matchAll(/href="(https?:\/\/[^"]+)"/g), ([, address]) => address);
  const hidden = /a\[href\*="scalar\.com"\]\{display:none\}/;
  for (const address of elsewhere) expect(address!.includes('scalar.com') && hidden.test(stdout)).toBe(true);
});
