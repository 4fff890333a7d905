import { vi } from 'vitest';
import { LaneRef } from '../../src/domain/broadcasts/lane.ts';
import type { RunParts } from '../../src/domain/broadcasts/run.ts';
import type { HandOver, Provider, Providers } from '../../src/domain/delivery/outgoing.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { newDraft } from './broadcast.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

/** A provider that answers only when told to. */
export class Patient implements Provider<unknown> {
  readonly name = 'patient';
  readonly #waiting: ((answer: HandOver) => void)[] = [];

  send(): Promise<HandOver> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Waits until so many have been handed over. */
  async has(count: number): Promise<void> {
    await vi.waitUntil(() => this.#waiting.length === count, { timeout: 20_000 });
  }

  answerAll(answer: HandOver = { outcome: 'sent', reply: '250 taken' }): void {
    for (const resolve of this.#waiting.splice(0)) resolve(answer);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** What a step of a lane works with, without an engine that calls it. */
export const runParts = (
  { database, config }: World,
  providers: Partial<Providers>,
  stopping = new AbortController().signal,
): RunParts => ({
  database,
  keys: keyring(config),
  mail: mailSettings(config),
  clock: systemClock,
  providers: { email: undefined, text: undefined, ...providers },
  stopping,
});

/** A broadcast whose time has come, as its alarm leaves it: with one lane, whose ticket is 1. */
export async function beginSending(
  { admin }: World,
  org: TestOrg,
  draft: Readonly<Record<string, unknown>>,
): Promise<{ id: string; lane: (number: number) => LaneRef }> {
  const { id } = await newDraft(org, draft);
  await admin.query(
    `update broadcasts set status = 'sending', send_at = now(), started_at = now(), paced_over_hours = 0 where id = $1`,
    [id],
  );
  await admin.query(
    'insert into delivery_lanes (org_id, broadcast_id, lane, next_at) values ($1, $2, 0, now())',
    [org.id, id],
  );
  return { id, lane: (number) => LaneRef.parse({ org_id: org.id, lane: `${id}/${number}` }) };
}
