import { orgTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import {
  deleteOrganization,
  resumeOrganization,
  suspendOrganization,
  type ChangingState,
} from '../domain/orgs/change-state.ts';
import { systemClock } from '../kernel/clock.ts';
import { OrgId } from '../kernel/ids.ts';
import { answer, UsageError, word, type Values } from './arguments.ts';
import { withDatabase } from './with-database.ts';

const states = { suspend: 'suspended', resume: 'active', delete: 'deleting' } as const;

/** rostrum org suspend, resume and delete */
export async function changeOrg(
  verb: keyof typeof states,
  id: string | undefined,
  values: Values,
): Promise<void> {
  const parsed = OrgId.safeParse(id);
  if (!parsed.success) throw new UsageError(`Say: rostrum org ${verb} ID …`);
  const org = parsed.data;
  const reason = verb === 'suspend' ? sentence(word(values, 'reason')) : undefined;
  await withDatabase((database) =>
    orgTransaction(database, org, 'write', async (db) => {
      const found = await requireOrg(db, org);
      const by: ChangingState = { db, org, now: systemClock.now(), actor: 'operator', face: 'cli' };
      if (verb === 'delete' && word(values, 'confirm') !== found.name)
        throw new UsageError('--confirm takes the name of the organization to delete.');
      const changed =
        reason !== undefined
          ? await suspendOrganization(by, reason)
          : await (verb === 'resume' ? resumeOrganization(by) : deleteOrganization(by));
      if (!changed) throw new UsageError(`This organization is ${found.state}.`);
    }),
  );
  answer({ org_id: org, state: states[verb] });
}

async function requireOrg(db: Database, org: OrgId): Promise<{ name: string; state: string }> {
  const found = await db
    .selectFrom('organizations')
    .select(['name', 'state'])
    .where('id', '=', org)
    .executeTakeFirst();
  if (found === undefined) throw new UsageError('There is no organization with this id.');
  return found;
}

/** The reason stands between other sentences in what callers are told. */
function sentence(text: string): string {
  if (text.length > 490) throw new UsageError('--reason takes 490 characters at most.');
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
