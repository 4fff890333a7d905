import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';

// Whoever comes after a lock that is waited for waits as well, so nobody waits for one longer than this. It is less than
// deadlock_timeout, so that of a deadlock it is the migration that gives way.
const lockTimeout = '300ms';
const attempts = 300;
const mostPauseMs = 2_000;
const gaveWay = new Set(['55P03', '40P01']); // lock_timeout, deadlock

/** A transaction that gives up as soon as it would keep others waiting, and tries again for some minutes. */
export async function patiently(client: pg.Client, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`begin; set local lock_timeout = '${lockTimeout}'`);
      await work();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      if (attempt >= attempts || !gaveWay.has((error as { code?: string }).code ?? '')) throw error;
      await pause(Math.random() * Math.min(100 * attempt, mostPauseMs));
    }
  }
}
