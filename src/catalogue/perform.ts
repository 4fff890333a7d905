import { orgTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import type { Keyring, MailSettings, Work } from '../database/work.ts';
import { writeAudit } from '../domain/orgs/audit.ts';
import { answerOnce, type Answer, type IdempotencyKey } from '../domain/orgs/idempotent-answer.ts';
import { readClock } from '../domain/orgs/org-clock.ts';
import type { Caller } from '../kernel/caller.ts';
import { Failure } from '../kernel/failure.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { beginTrace, type Tracer } from '../kernel/trace.ts';
import { parseInput } from './parse-input.ts';

export type Perform = (
  operation: AnyOperation<Work>,
  caller: Caller,
  raw: unknown,
  idempotencyKey?: string,
) => Promise<Answer>;

/** The only way in: permission, parse once, handle inside one organization-scoped transaction, audit, check what leaves. */
export function performer(database: Database, keys: Keyring, mail: MailSettings, tracer?: Tracer): Perform {
  const perform: Perform = async (operation, caller, raw, idempotencyKey) => {
    authorize(operation, caller);
    const input: unknown = parseInput(operation, caller, raw);
    const access = operation.effect === 'read' ? 'read' : 'write';
    return orgTransaction(database, caller.org, access, async (db) => {
      // Read anew for every call: a clock that was just moved has moved for all processes at once.
      const now = caller.mode === 'test' ? (await readClock(db, caller.org, caller.now)).now : caller.now;
      const work: Work = { db, org: caller.org, now, caller, touched: {}, keys, mail };
      const run = async (): Promise<Record<string, unknown>> => {
        const output: unknown = await operation.handle(work, input);
        // An operation that found nothing to change touched nothing, and leaves no row.
        if (Object.keys(work.touched).length > 0) await writeAudit(work, operation.name);
        return operation.output.parse(output) as Record<string, unknown>;
      };
      if (idempotencyKey === undefined || access === 'read') return { output: await run(), replayed: false };
      const asked: IdempotencyKey = { key: idempotencyKey, input: raw };
      return answerOnce(work, operation.name, asked, run);
    });
  };
  if (tracer === undefined) return perform;
  return (operation, caller, ...asked) => {
    const fields = { org_id: caller.org, face: caller.face, request_id: caller.requestId };
    return beginTrace(tracer, { name: operation.name, kind: 'server', fields }, () =>
      perform(operation, caller, ...asked),
    );
  };
}

/** `perform` calls this itself; others call it only where a body is read before anything is performed. */
export function authorize(operation: AnyOperation, caller: Caller): void {
  if (!caller.permissions.has(operation.permission)) {
    throw new Failure(
      'forbidden',
      `This credential lacks the permission ${operation.permission}. Use a key that has it; whoever runs this ` +
        `installation makes one: rostrum key create --org ${caller.org} --name NAME --permissions ${operation.permission}`,
    );
  }
  if (caller.suspended !== undefined && operation.effect !== 'read' && operation.evenSuspended !== true) {
    throw new Failure(
      'organization_suspended',
      `This organization is suspended: ${caller.suspended} Nothing is sent and nothing changes until whoever runs ` +
        `this installation resumes it: rostrum org resume ${caller.org}. Reading and opting people out still work.`,
    );
  }
  if (operation.power !== undefined && !caller.powers.has(operation.power)) {
    throw new Failure('forbidden', `${operation.name} is open to organization API keys over REST only.`);
  }
}
