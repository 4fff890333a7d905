import { expect } from 'vitest';
import type { World } from './world.ts';

/** What will run within this time counts as under way: a lane that put somebody aside looks again after a second. */
const soonMs = 2_500;

/**
 * Waits until the service had its chance to do whatever it would: nothing is left to tell the engine, and there nothing
 * runs, waits for its turn, or will run within moments.
 */
export async function idle(world: World, timeout = 60_000): Promise<void> {
  // Twice in a row: what one part of the engine hands to another is for a moment with neither.
  let quietLooks = 0;
  const look = async () => (quietLooks = (await isBusy(world)) ? 0 : quietLooks + 1);
  await expect.poll(look, { timeout, interval: 50 }).toBeGreaterThan(1);
}

async function isBusy(world: World): Promise<boolean> {
  // In this order: the engine has a message before it leaves the outbox.
  const { rowCount } = await world.admin.query('select 1 from outbox limit 1');
  if (rowCount !== 0) return true;
  const soon = Date.now() + soonMs;
  const open = await openInvocations(world);
  return open.some(({ scheduled_start_at: at }) => at === undefined || Date.parse(at) < soon);
}

export interface Invocation {
  /** Only of what waits for its time. */
  readonly scheduled_start_at?: string;
}

/** What the engine has not done yet. */
export async function openInvocations({ restate }: World): Promise<readonly Invocation[]> {
  // Without the first of the two columns Restate 1.7 leaves the second empty.
  const query = `select scheduled_at, scheduled_start_at from sys_invocation where status <> 'completed'`;
  const response = await fetch(`${restate!.adminUrl}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
  });
  if (!response.ok) throw new Error(`the engine does not tell what it does: ${await response.text()}`);
  return ((await response.json()) as { rows: Invocation[] }).rows;
}
