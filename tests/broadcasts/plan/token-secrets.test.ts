import { deflateRawSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApi } from '../../../src/main/build-api.ts';
import { readConfig } from '../../../src/main/config.ts';
import { keyring } from '../../../src/main/keys.ts';
import { plan, readyDraft } from '../../support/broadcast.ts';
import { TestOrg } from '../../support/test-org.ts';
import { useWorld } from '../../support/world.ts';
import { newSetting, planning, session } from './drift-setting.ts';
import { rest } from './schedule-ways.ts';

const world = useWorld();

const [older, newer] = [
  'an older secret of over thirty-two letters',
  'a newer secret of over thirty-two letters',
];

type Api = Awaited<ReturnType<typeof buildApi>>;
const apis: Api[] = [];
const urls: Record<string, string> = {};

/** Another process of the service over the same rows, sealing by these secrets. */
async function serveWith(name: string, env: Record<string, string>): Promise<void> {
  const { databaseUrl, database, clock } = world();
  const secret = world().config.ROSTRUM_SECRET;
  const config = readConfig({ DATABASE_URL: databaseUrl, ROSTRUM_SECRET: secret, PORT: '0', ...env });
  const app = await buildApi({ config, database, clock, log: pino({ level: 'silent' }) });
  urls[name] = await app.listen({ host: '127.0.0.1', port: 0 });
  apis.push(app);
}

beforeAll(async () => {
  await serveWith('older', { ROSTRUM_SEALING_SECRETS: older });
  await serveWith('newer, older', { ROSTRUM_SEALING_SECRETS: `${newer}, ${older}` });
  await serveWith('newer', { ROSTRUM_SEALING_SECRETS: newer });
  await serveWith('elsewhere', { ROSTRUM_SECRET: 'the secret of quite another installation' });
});
afterAll(() => Promise.all(apis.map((api) => api.close())));

const through = (org: TestOrg, name: string) => new TestOrg(urls[name]!, org.id, org.keyId, org.secret);

/** Plans at one process and schedules at another. */
async function planAndSchedule(planner: string, scheduler: string): Promise<[number, string]> {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const { plan_token } = await plan(through(org, planner), id);
  const { status, body } = await rest.schedule(through(org, scheduler), id, { plan_token });
  return [status, body.code ?? body.broadcast.status];
}

test.each([
  ['older', 'older'],
  ['older', 'newer, older'],
  ['newer, older', 'newer, older'],
  ['newer, older', 'newer'],
  ['newer', 'newer, older'],
])('SCH-001 what is planned with the secrets (%s) is scheduled with (%s)', async (planner, scheduler) => {
  expect(await planAndSchedule(planner, scheduler)).toEqual([200, 'scheduled']);
});

test.each([
  ['older', 'newer'],
  ['newer', 'older'],
  ['newer, older', 'older'],
  ['elsewhere', 'older'],
  ['older', 'elsewhere'],
])(
  'SCH-007 SCH-021 what is planned with the secrets (%s) is refused with (%s)',
  async (planner, scheduler) => {
    expect(await planAndSchedule(planner, scheduler)).toEqual([409, 'plan_stale']);
  },
);

test('SCH-007 SCH-021 a token that another version of the service made is refused, and not an error of ours', async () => {
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const { tokens } = keyring(world().config);
  const packed = [
    'no plan',
    '',
    deflateRawSync('[1,2,3]'),
    deflateRawSync('{"revision":1}'),
    deflateRawSync('['),
  ];
  for (const one of packed) {
    const plan_token = tokens.seal(one, `plan ${org.id} ${id}`).toString('base64url');
    const { status, body } = await rest.schedule(org, id, { plan_token });
    expect([status, body.code]).toEqual([409, 'plan_stale']);
  }
});

test('a token is short, even of a rich draft, and shows nothing of what it holds', async () => {
  world().clock.now = () => planning;
  const setting = await newSetting(world(), 'webinar');
  const subject = 'Everything that is new this spring, and what it means for you and your team';
  const variable = '{{context.root_context.org_user.first_name}}';
  const names = Array.from({ length: 12 }, (_, at) => `var_a_rather_long_name_${at}`);
  await setting.patch({
    subject,
    preview_text: 'All of it in five minutes, with pictures, links and a word from our founder',
    html: `<h1>Spring</h1>${names.map((name) => `<p>{{${name}}}</p>`).join('')}`,
    variables: Object.fromEntries(names.map((name) => [name, { variable, fallback: 'Friend' }])),
    webinar_audience: 'no_show',
    webinar_offset_minutes: 1_440.5,
    webinar_anchor: 'end',
  });
  const { plan_token } = await plan(setting.org, setting.id, null);
  expect(plan_token).toMatch(/^[\w-]+$/);
  expect(plan_token.length).toBeLessThan(900);
  const bytes = Buffer.from(plan_token, 'base64url');
  const secrets = [
    'Everything',
    'spring',
    'founder',
    'var_a',
    'Rita',
    session.title,
    setting.id,
    setting.org.keyId,
  ];
  for (const readable of [plan_token, bytes.toString('latin1'), bytes.toString('utf8')]) {
    for (const secret of secrets) expect(readable).not.toContain(secret);
  }
});

test('a token of the barest draft is shorter still, and each plan has its own', async () => {
  world().clock.now = () => new Date();
  const org = await world().newOrg();
  const { id } = await readyDraft(world(), org);
  const tokens = [await plan(org, id), await plan(org, id)].map(({ plan_token }) => plan_token);
  expect(tokens[0]).not.toBe(tokens[1]);
  for (const token of tokens) expect(token.length).toBeLessThan(500);
});
