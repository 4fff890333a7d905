import pg from 'pg';
import { operations } from '../../src/catalogue/operations.ts';
import { performer } from '../../src/catalogue/perform.ts';
import type { Database } from '../../src/database/pool.ts';
import type { Work } from '../../src/database/work.ts';
import { asService } from '../../src/domain/orgs/as-service.ts';
import type { HandOver, Provider } from '../../src/domain/delivery/outgoing/outgoing.ts';
import { permissions, type Caller } from '../../src/kernel/caller.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { newDraft, setLayout } from '../support/broadcast.ts';
import { newSender } from '../support/sender-row.ts';
import { addProperty } from '../support/import.ts';
import { fenceInMemory } from '../support/lane.ts';
import type { TestOrg } from '../support/test-org.ts';
import { createWebinar, registerFor } from '../support/webinar.ts';
import { emailNode, inLine, liveWorkflow, onEvent, onRegistration } from '../support/workflow.ts';
import type { World } from '../support/world.ts';
import type { Random } from '../segments/random.ts';
import { always } from '../support/providers.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One organization with a little of everything, on which actions run at once. */
export class Stage {
  readonly world: World;
  readonly org: TestOrg;
  readonly database: Database;
  readonly random: Random;
  readonly admin: pg.Client;
  /** What is there, as of the last look. */
  there: There = nothing;
  /** What its texts are sent from: nobody else's, as a stop is meant for all who send from it. */
  readonly number: string;
  readonly #perform: ReturnType<typeof performer>;

  constructor(world: World, org: TestOrg, database: Database, random: Random) {
    this.world = world;
    this.org = org;
    this.database = database;
    this.random = random;
    this.number = `+1202556${String(random.int(0, 9_999)).padStart(4, '0')}`;
    this.admin = new pg.Client({ connectionString: world.databaseUrl });
    this.#perform = performer(database, keyring(world.config), mailSettings(world.config));
  }

  get parts() {
    const { database, world } = this;
    return {
      database,
      keys: keyring(world.config),
      mail: mailSettings(world.config),
      clock: systemClock,
      stopping: new AbortController().signal,
      fence: fenceInMemory(),
      providers: this.#providers,
    };
  }

  call(name: (typeof operations)[number]['name'], input: Fields, idempotencyKey?: string): Promise<unknown> {
    const operation = operations.find((one) => one.name === name) as unknown as AnyOperation<Work>;
    const caller: Caller = {
      org: this.org.id,
      actor: { kind: 'api_key', id: this.org.keyId },
      permissions: new Set(permissions),
      powers: new Set(['drop_suppression', 'replace_external_id', 'replace_names']),
      face: 'rest',
      requestId: 'at once',
      address: null,
      now: new Date(),
      mode: 'test',
      currency: 'USD',
    };
    return this.#perform(operation, caller, input, idempotencyKey);
  }

  serve<T>(handle: (work: Work) => Promise<T>): Promise<T | undefined> {
    const asked = { org: this.org.id, now: new Date(), actor: 'at once', requestId: 'none' };
    return asService(this.database, this.parts, asked, handle);
  }

  async look(): Promise<void> {
    const { rows } = await this.admin.query<There>({ name: 'look', text: look, values: [this.org.id] });
    this.there = rows[0]!;
  }

  /** Somebody's address, of so few that actions mean the same people. */
  email = (): string => `e${this.random.int(0, 9)}@example.com`;
  phone = (): string => `+1202555010${this.random.int(0, 9)}`;
  externalId = (): string => `ext-${this.random.int(0, 9)}`;

  readonly #providers = always({
    email: provider(() =>
      this.random.weighted<HandOver>(
        [6, () => ({ outcome: 'sent', reply: '250 taken' })],
        [2, () => ({ outcome: 'refused', code: '5.1.1', reply: '550 5.1.1 nobody here' })],
        [2, () => ({ outcome: 'deferred', code: '4.7.1', reply: '421 4.7.1 too many messages' })],
      ),
    ),
    text: provider(() =>
      this.random.weighted<HandOver>(
        [6, () => ({ outcome: 'sent', reply: 'queued' })],
        [2, () => ({ outcome: 'refused', code: '21610', reply: 'opted out', optedOut: true })],
        [1, () => ({ outcome: 'uncertain', reply: 'no answer' })],
      ),
    ),
  });
}

const provider = (answer: () => HandOver): Provider<unknown> => ({
  name: 'at once',
  send: () => Promise.resolve(answer()),
  close: () => Promise.resolve(),
});

export interface There {
  readonly people: readonly string[];
  readonly identifiers: readonly { id: string; person_id: string }[];
  readonly webinars: readonly string[];
  readonly connections: readonly string[];
  readonly configs: readonly { id: string; key: string }[];
  readonly changes: readonly string[];
  readonly segments: readonly string[];
  readonly senders: readonly string[];
  readonly broadcasts: readonly { id: string; status: string; revision: number }[];
  readonly lanes: readonly { broadcast_id: string; lane: number; ticket: number; due: boolean }[];
  readonly deliveries: readonly number[];
  readonly workflows: readonly string[];
  readonly clocks: readonly { id: string; next_at: string }[];
  readonly imports: readonly { id: string; status: string }[];
  readonly tests: readonly string[];
  readonly blacklist: readonly string[];
}

const nothing = {} as There;

const list = (what: string, from: string): string =>
  `coalesce((select json_agg(${what}) from (select * from ${from}) t), '[]')`;
const of = (table: string, more = '', order = 'id desc', most = 12): string =>
  `${table} where org_id = $1 ${more} order by ${order} limit ${most}`;

const look = `select
  ${list('id', of('people'))} as people,
  ${list("json_build_object('id', id, 'person_id', person_id)", of('identifiers'))} as identifiers,
  ${list('id', of('webinars', '', 'id desc', 3))} as webinars,
  ${list('id', of('platform_connections'))} as connections,
  ${list("json_build_object('id', id, 'key', key)", of('property_configs', '', 'id desc', 4))} as configs,
  ${list('id', of('property_changes'))} as changes,
  ${list('id', of('segments', 'and preset is null', 'id desc', 4))} as segments,
  ${list('id', of('senders'))} as senders,
  ${list(
    "json_build_object('id', id, 'status', status, 'revision', revision)",
    of('broadcasts', 'and workflow_id is null', 'id desc', 8),
  )} as broadcasts,
  ${list(
    "json_build_object('broadcast_id', broadcast_id, 'lane', lane, 'ticket', ticket, 'due', next_at <= now() + (select clock_ahead_ms * interval '1 millisecond' from organizations where id = $1))",
    of('delivery_lanes', '', 'next_at'),
  )} as lanes,
  ${list('id', of('deliveries', '', 'id desc', 30))} as deliveries,
  ${list('id', of('workflows', '', 'id desc', 5))} as workflows,
  ${list("json_build_object('id', id, 'next_at', next_at)", of('wait_clocks', "and next_at < 'infinity'", 'next_at'))} as clocks,
  ${list("json_build_object('id', id, 'status', status)", of('imports', '', 'id desc', 4))} as imports,
  ${list('id', of('test_sends', 'and taken_at is null'))} as tests,
  ${list('id', of('email_blacklist'))} as blacklist`;

/** People, webinars, workflows that send and set properties, broadcasts, lists: few of each, so that all meet. */
export async function arrangeStage(world: World, database: Database, random: Random): Promise<Stage> {
  const org = await world.newOrg();
  const stage = new Stage(world, org, database, random);
  await stage.admin.connect();
  await org.rest('PATCH /v1/settings', {
    test_recipients: ['@example.com', ...Array.from({ length: 10 }, (_, n) => `+1202555010${n}`)],
  });
  await setLayout(org);
  await addProperty(org, 'tier', 'string');
  await addProperty(org, 'score', 'number');
  for (let n = 0; n < 8; n++)
    await org.person({
      email: `e${n}@example.com`,
      phone: `+1202555010${n}`,
      external_user_id: `ext-${n}`,
      custom_properties: { tier: 'a' },
    });
  const sender_id = await newSender(world, org);
  await world.admin.query('insert into sms_numbers (org_id, number, created_at) values ($1, $2, now())', [
    org.id,
    stage.number,
  ]);
  const webinar = await createWebinar(org);
  await createWebinar(org);
  const mail = await emailNode(world, org, 'mail', { sender_id });
  const set = { id: 'set', type: 'set_property', key: 'tier', value: 'b' };
  const wait = { id: 'hold', type: 'wait', anchor: 'start', offset_minutes: -60 };
  const again = { ...mail, id: 'again' };
  await liveWorkflow(org, inLine(onRegistration(null), mail, set, wait, again));
  await liveWorkflow(org, inLine(onRegistration(webinar.id), { ...again, id: 'zz' }, { ...mail, id: 'aa' }));
  await liveWorkflow(org, inLine(onEvent('said'), set, mail));
  await liveWorkflow(org, inLine(onEvent('$svc_webinar_attendance'), mail));
  for (let n = 0; n < 2; n++)
    await newDraft(org, { audience: 'everyone', subject: 'Hello', html: '<p>Hello</p>', sender_id });
  await org.rest('POST /v1/platform-connections', {
    platform: 'zoom',
    account_id: 'account',
    client_id: 'client',
    client_secret: 'secret',
    webhook_secret_token: 'token',
  });
  for (let n = 0; n < 6; n++) await registerFor(org, webinar.id, { email: `e${n}@example.com` });
  await stage.look();
  const [connection_id] = stage.there.connections;
  await org.rest(`PUT /v1/webinars/${webinar.id}/platform`, { connection_id, event_id: '100000000' });
  for (let n = 0; n < 2; n++)
    await newDraft(org, {
      audience: 'webinar',
      webinar_id: webinar.id,
      channel: 'sms',
      message_body: 'Hello',
    });
  return stage;
}
