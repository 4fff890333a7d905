import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { tell } from '../../benches/support/command.ts';
import { onDatabase } from './broadcast-setting.ts';
import { tellEngine, type Stage } from './broadcast-stage.ts';
import { endLeases } from './end-leases.ts';
import { shipped } from '../../benches/support/shipped.ts';

/** Waits until sending is held, and releases it as an operator would. False if the broadcast ended without. */
export async function recoverWhenHeld(stage: Stage, id: string): Promise<boolean> {
  // The leases of lanes and clocks whose step the lost database knew of pass, as they would within a minute.
  await endLeases(stage.postgres.url);
  await onDatabase(stage.postgres.url, (client) =>
    client.query('update wait_clocks set busy_until = now() where busy_until > now()'),
  );
  await tellEngine(stage.postgres.url);
  const look = `select held_at is not null as held from installation`;
  for (;;) {
    const { rows } = await onDatabase(stage.postgres.url, (client) => client.query<{ held: boolean }>(look));
    if (rows[0]?.held === true) break;
    if (await isOver(stage, id)) return false;
    await pause(100);
  }
  const run = promisify(execFile);
  const env = { ...process.env, ...stage.env };
  const { stdout } = await run(process.execPath, [shipped, 'recover', '--release'], { env });
  tell(stdout.trim());
  return true;
}

export async function isOver({ postgres }: Stage, id: string): Promise<boolean> {
  const { rows } = await onDatabase(postgres.url, (client) =>
    client.query<{ status: string }>('select status from broadcasts where id = $1', [id]),
  );
  return !['scheduled', 'sending'].includes(rows[0]?.status ?? '');
}
