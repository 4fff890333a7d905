import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { registerHandlers } from '../../src/main/register-handlers.ts';
import { newDraft, plan } from './broadcast.ts';
import { newSender } from './sender-row.ts';
import { startMailServer, type MailServer } from './mail-server.ts';
import type { TestOrg } from './test-org.ts';
import { openWorld, type World } from './world.ts';

// Answers are looked into by tests, not typed twice.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
type Fields = Readonly<Record<string, unknown>>;

export interface Sending {
  readonly world: World;
  readonly mail: MailServer;
}

/** The whole service with its engine, sending to a mail server of the test. */
export function useSending(env: Record<string, string> = {}): () => Sending {
  let sending: Sending | undefined;
  beforeAll(async () => {
    const mail = await startMailServer();
    // Nobody answers there: what cannot be looked up takes no sender its standing.
    const DNS_SERVERS = '127.0.0.1:9';
    const world = await openWorld({ engine: true, env: { SMTP_URL: mail.url, DNS_SERVERS, ...env } });
    sending = { world, mail };
  });
  afterAll(async () => {
    await sending?.world.close();
    await sending?.mail.close();
  });
  return () => sending!;
}

/** What an organization's clock shows. */
export const clockOf = async (org: TestOrg): Promise<number> =>
  Date.parse((await org.rest('GET /v1/test-clock')).body.test_clock.now);

export const moveClock = (org: TestOrg, to: number): Promise<void> =>
  setClock(org, { now: new Date(to).toISOString() });

export const advanceClock = (org: TestOrg, seconds: number): Promise<void> =>
  setClock(org, { advance: seconds });

async function setClock(org: TestOrg, move: Fields): Promise<void> {
  const { status, body } = await org.rest('POST /v1/test-clock', move);
  if (status !== 200) throw new Error(`move_test_clock answered ${status}: ${JSON.stringify(body)}`);
}

export interface Scheduled {
  readonly id: string;
  readonly subject: string;
  readonly sendAt: number;
}

const minute = 60_000;

/** An email with a subject of its own, scheduled so many minutes ahead by the organization's clock. */
export async function scheduleEmail(
  world: World,
  org: TestOrg,
  fields: Fields = {},
  minutesAhead = 90,
): Promise<Scheduled> {
  const subject = `Broadcast ${randomUUID()}`;
  const draft = { audience: 'everyone', subject, html: '<p>Hello there</p>', ...fields };
  const sender_id = 'sender_id' in draft ? {} : { sender_id: await newSender(world, org) };
  const { id } = await newDraft(org, { ...draft, ...sender_id });
  const sendAt = (await clockOf(org)) + minutesAhead * minute;
  await scheduleAt(org, id, sendAt);
  return { id, subject: draft.subject as string, sendAt };
}

export async function scheduleAt(org: TestOrg, id: string, at: number): Promise<void> {
  const { plan_token, checks } = await plan(org, id, new Date(at).toISOString());
  if (plan_token === undefined) throw new Error(`the plan is not ready: ${JSON.stringify(checks)}`);
  const { status, body } = await org.rest(`POST /v1/broadcasts/${id}/schedule`, { plan_token });
  if (status !== 200) throw new Error(`schedule_broadcast answered ${status}: ${JSON.stringify(body)}`);
}

export const readBroadcast = async (org: TestOrg, id: string): Promise<Json> =>
  (await org.rest(`GET /v1/broadcasts/${id}`)).body.broadcast;

/** Waits until a broadcast is over, and answers it. */
export async function ended(org: TestOrg, id: string, timeout = 60_000): Promise<Json> {
  const isOver = async () => {
    const { timing, status } = await readBroadcast(org, id);
    return timing.finished_at !== null || (status === 'error' && timing.started_at === null);
  };
  await expect.poll(isOver, { timeout, interval: 50 }).toBe(true);
  return readBroadcast(org, id);
}

/** Nobody is handing anything over, nothing is due, and nothing waits to be told to the engine. */
export async function settled(world: World, org: TestOrg, timeout = 60_000): Promise<void> {
  const isBusy = async () => {
    const now = new Date(await clockOf(org));
    const { rows } = await world.admin.query<{ busy: boolean }>(
      `select exists (select 1 from outbox where org_id = $1)
        or exists (select 1 from deliveries where org_id = $1
          and (state = 'sending' or (state = 'pending' and due_at <= $2)))
        or exists (select 1 from broadcasts where org_id = $1 and status = 'scheduled'
          and held_at is null and send_at <= $2)
        or exists (select 1 from broadcasts where org_id = $1 and status = 'sending' and prepared_at is null)
        as busy`,
      [org.id, now],
    );
    return rows[0]?.busy;
  };
  await expect.poll(isBusy, { timeout, interval: 50 }).toBe(false);
}

/** Who got a broadcast, as often as they did. */
export const receiversOf = ({ mails }: MailServer, subject: string): string[] =>
  mails.filter((mail) => mail.subject === subject).map(({ to }) => to);

/** The engine starts anew; `empty` throws away all it knew. */
export async function restartEngine(
  { restate, config, logLines }: World,
  { empty = false }: { empty?: boolean } = {},
): Promise<void> {
  await restate!.stop('SIGKILL');
  if (empty) await restate!.wipe();
  await restate!.start();
  if (!empty) return;
  const listening = logLines
    .map((line) => JSON.parse(line))
    .findLast(({ msg }) => msg === 'the durable handlers listen');
  await registerHandlers(config.RESTATE_ADMIN_URL, listening.url);
}
