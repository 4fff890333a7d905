import { vi } from 'vitest';
import { engineMessages } from '../../src/database/engine-messages.ts';
import type { Fence } from '../../src/domain/broadcasts/sending/fence.ts';
import type { LaneRef } from '../../src/domain/broadcasts/sending/lane.ts';
import type { RunParts } from '../../src/domain/broadcasts/sending/run.ts';
import type { HandOver, Provider, Providers } from '../../src/domain/delivery/outgoing/outgoing.ts';
import { noteIn, readFrom, type FenceState } from '../../src/durable/fence-object.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { newDraft } from './broadcast.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';
import { always } from './providers.ts';

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
  providers: always(providers),
  fence: fenceInMemory(),
  stopping,
});

const fences = new Map<string, Map<string, unknown>>();

/** The fence's own rules over a map instead of the engine's state. */
export function fenceInMemory(): Fence {
  const stateOf = (fenced: string): FenceState => {
    const kept = fences.get(fenced) ?? new Map<string, unknown>();
    fences.set(fenced, kept);
    return {
      get: <Value>(key: string) => Promise.resolve((kept.get(key) as Value | undefined) ?? null),
      set: (key, value) => void kept.set(key, value),
    };
  };
  return {
    note: (fenced, window) => noteIn(stateOf(fenced), window),
    read: (fenced, from) => readFrom(stateOf(fenced), from),
  };
}

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
  return {
    id,
    lane: (number) => engineMessages.BroadcastRun.payload.parse({ org_id: org.id, lane: `${id}/${number}` }),
  };
}
