import { randomUUID } from 'node:crypto';
import type { CheckedBody } from '../../src/domain/content/body/body.ts';
import { trackLinks } from '../../src/domain/content/body/track-links.ts';
import { saveLinks } from '../../src/domain/delivery/outgoing/broadcast-links.ts';
import { publicUrls } from '../../src/domain/delivery/outgoing/public-urls.ts';
import { asService } from '../../src/domain/orgs/as-service.ts';
import { judgeEverywhere } from '../../src/durable/judge-loop.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { newDraft } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';

export const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

export const partsOf = ({ config }: World) => ({ keys: keyring(config), mail: mailSettings(config) });

export interface SentMessage {
  readonly person: string;
  readonly delivery: number;
  readonly urls: ReturnType<typeof publicUrls>;
}

export interface SentBroadcast {
  readonly id: string;
  readonly messages: readonly SentMessage[];
}

/** A broadcast as it is an hour after these people got it, without anybody having sent it. */
export async function sendTo(
  world: World,
  org: TestOrg,
  people: readonly string[],
  fields: Readonly<Record<string, unknown>> = {},
): Promise<SentBroadcast> {
  const body = {
    html: '<p><a href="https://a.example/1">1</a> <a href="https://a.example/2?x=1&amp;y=2">2</a></p>',
  };
  const { id } = await newDraft(org, { audience: 'everyone', ...body, ...fields });
  const { admin, database, clock } = world;
  const { rows } = await admin.query<{ body: CheckedBody }>('select body from broadcasts where id = $1', [
    id,
  ]);
  const asked = { org: org.id, now: clock.now(), actor: 'test', requestId: 'test' };
  await asService(database, partsOf(world), asked, (work) =>
    saveLinks(work, id, trackLinks(rows[0]!.body.pieces).links),
  );
  const { rows: made } = await admin.query<{ delivery: number; person: string }>(
    `insert into deliveries (org_id, broadcast_id, person_id, state, due_at, address)
     select $1, $2, p, 'pending', $4, 'somebody@example.com' from unnest($3::uuid[]) p
     returning id::float8 as delivery, person_id as person`,
    [org.id, id, people, clock.now()],
  );
  await admin.query(
    `update deliveries d set state = 'sent',
       sent_at = $2::timestamptz + make_interval(secs => o.clock_ahead_ms / 1000.0 - 3600)
     from organizations o where o.id = d.org_id and d.broadcast_id = $1`,
    [id, clock.now()],
  );
  const { keys } = partsOf(world);
  const messages = made.map(({ delivery, person }) => ({
    delivery,
    person,
    urls: publicUrls(keys, world.url, { org: org.id, delivery }),
  }));
  return { id, messages };
}

export const newPeople = (org: TestOrg, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, () => org.person({ email: `${randomUUID().slice(0, 13)}@example.com` })),
  );

export const follow = (url: string, { agent = browser, method = 'GET' } = {}): Promise<Response> =>
  fetch(url, { method, redirect: 'manual', headers: { 'user-agent': agent } });

/** Judges what came in, as it is done so many seconds later. */
export async function judge(world: World, secondsLater = 4): Promise<number> {
  const clock = { now: () => new Date(world.clock.now().getTime() + secondsLater * 1_000) };
  const fail = (error: unknown): never => {
    throw error;
  };
  return judgeEverywhere(world.database, partsOf(world), clock, fail);
}

export interface StoredHit {
  readonly delivery: number;
  readonly kind: string;
  readonly link: number | null;
  readonly at: Date;
  readonly agent: string;
  readonly method: string;
  readonly verdict: string | null;
  readonly why: string | null;
}

export async function hitsOf({ admin }: World, { messages }: SentBroadcast): Promise<StoredHit[]> {
  const { rows } = await admin.query(
    `select delivery_id::float8 as delivery, kind, link::int, at, agent, method, verdict, why
     from tracking_hits where delivery_id = any($1) order by id`,
    [messages.map(({ delivery }) => delivery)],
  );
  return rows;
}

export async function totalsOf({ admin }: World, { id }: SentBroadcast): Promise<Record<string, number>> {
  const { rows } = await admin.query(
    'select opened::int, clicked::int, unsubscribed::int from broadcasts where id = $1',
    [id],
  );
  return rows[0];
}

interface StoredEvent {
  readonly name: string;
  readonly custom_properties: Readonly<Record<string, unknown>>;
  readonly occurred_at: Date;
}

export async function eventsOf({ admin }: World, person: string): Promise<StoredEvent[]> {
  const { rows } = await admin.query(
    'select name, custom_properties, occurred_at from events where person_id = $1 order by occurred_at, id',
    [person],
  );
  return rows;
}

export async function auditOf({ admin }: World, org: TestOrg, operation: string): Promise<unknown[]> {
  const { rows } = await admin.query(
    'select actor_kind, actor_id, ids from audit_log where org_id = $1 and operation = $2 order by at, id',
    [org.id, operation],
  );
  return rows;
}
