import { answer, say, UsageError, type Values } from './arguments.ts';
import { askAdmin, countLeft, listDeployments, queryAdmin, type Deployment } from './restate-admin.ts';
import { readDatabaseConfig } from './with-database.ts';

type Admin = readonly string[];

/** rostrum handlers: which releases the engine knows, which of them gets the new work, and which can go. */
export async function manageHandlers(values: Values, [verb, id = '']: string[]): Promise<void> {
  const { RESTATE_ADMIN_URL: admin } = readDatabaseConfig();
  const known = await listDeployments(admin);
  const left = await countLeft(admin);
  const told = known.map((one) => ({ ...one, left: left.get(one.id) ?? 0 }));
  if (verb === 'list') {
    for (const { id: deployment, release, uri, getsNewWork, left: begun } of told)
      answer({ id: deployment, release, url: uri, gets_new_work: getsNewWork, left: begun });
    return;
  }
  if (verb !== 'use' && verb !== 'remove')
    throw new UsageError('Say: rostrum handlers list, use ID or remove ID.');
  const chosen = told.find((one) => one.id === id);
  if (chosen === undefined)
    throw new UsageError(`No handlers are known as "${id}": see rostrum handlers list.`);
  await (verb === 'use' ? use(admin, chosen) : remove(admin, chosen, values['give-up'] === true));
}

/** Registering once more by force makes it the last one registered. Its code is what it was. */
async function use(admin: Admin, { uri, release }: Deployment): Promise<void> {
  const body = { uri, metadata: { release }, force: true };
  await askAdmin(admin, '/deployments', { method: 'POST', body, waitMs: 15_000 });
  say(`New work goes to release ${release}.`);
}

async function remove(admin: Admin, one: Deployment & { left: number }, giveUp: boolean): Promise<void> {
  if (one.getsNewWork) throw new UsageError(`Release ${one.release} gets the new work: it cannot go.`);
  if (one.left > 0 && !giveUp)
    throw new UsageError(
      `${one.left} things that release ${one.release} began have not ended. Leave it running until they have. If it ` +
        'is gone for good, --give-up ends them, and the new release is told of whatever is due within a minute.',
    );
  if (one.left > 0) await endAll(admin, one.id);
  await askAdmin(admin, `/deployments/${one.id}?force=true`, { method: 'DELETE' });
  say(`Release ${one.release} is forgotten.`);
}

async function endAll(admin: Admin, id: string): Promise<void> {
  const rows = await queryAdmin<{ id: string }>(
    admin,
    `select id from sys_invocation where pinned_deployment_id = '${id}' and status <> 'completed'`,
  );
  for (const invocation of rows)
    await askAdmin(admin, `/invocations/${invocation.id}/kill`, { method: 'PATCH' });
}
