import { orgTransaction } from '../database/org-transaction.ts';
import type { Database } from '../database/pool.ts';
import type { Keyring, Letter, MailSettings, Work } from '../database/work.ts';
import { writeAudit } from '../domain/orgs/audit.ts';
import { answerOnce, type Answer, type IdempotencyKey } from '../domain/orgs/idempotent-answer.ts';
import { readClock } from '../domain/orgs/org-clock.ts';
import type { IsCrowded } from '../kernel/breather.ts';
import type { Caller, Permission, Power } from '../kernel/caller.ts';
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

export interface PerformOptions {
  readonly tracer?: Tracer | undefined;
  /** Sends mail about an organization to its members. */
  readonly send?: (letter: Letter) => void;
  readonly isCrowded?: IsCrowded;
}

/** The only way in: permission, parse once, handle inside one organization-scoped transaction, audit, check what leaves. */
export function performer(
  database: Database,
  keys: Keyring,
  mail: MailSettings,
  { tracer, send = () => undefined, isCrowded }: PerformOptions = {},
): Perform {
  const perform: Perform = async (operation, caller, raw, idempotencyKey) => {
    authorize(operation, caller);
    const input: unknown = parseInput(operation, caller, raw);
    const access = operation.effect === 'read' ? 'read' : 'write';
    let letters: Letter[] = [];
    const answer = await orgTransaction(database, caller.org, access, async (db) => {
      letters = []; // it may be tried again
      // Read anew for every call: a clock that was just moved has moved for all processes at once.
      const now = caller.mode === 'test' ? (await readClock(db, caller.org, caller.now)).now : caller.now;
      const work: Work = { db, org: caller.org, now, caller, touched: {}, letters, keys, mail, isCrowded };
      const run = async (): Promise<Record<string, unknown>> => {
        const output: unknown = await operation.handle(work, input);
        // An operation that found nothing to change touched nothing, and leaves no row.
        if (Object.keys(work.touched).length > 0) await writeAudit(work, operation.name);
        return operation.output.parse(output) as Record<string, unknown>;
      };
      if (idempotencyKey === undefined || access === 'read') return { output: await run(), replayed: false };
      const asked: IdempotencyKey = { key: idempotencyKey, input: raw };
      return answerOnce(work, operation, asked, run);
    });
    letters.forEach(send);
    return answer;
  };
  if (tracer === undefined) return perform;
  return (operation, caller, ...asked) => {
    const fields = { org_id: caller.org, face: caller.face, request_id: caller.requestId };
    return beginTrace(tracer, { name: operation.name, kind: 'server', fields }, () =>
      perform(operation, caller, ...asked),
    );
  };
}

const keysOverRest = 'to organization API keys over REST';
const openTo: Readonly<Record<Power, string>> = {
  drop_suppression: keysOverRest,
  replace_external_id: keysOverRest,
  replace_names: keysOverRest,
  manage_access: 'to owners and admins who are signed in',
  leave: 'to members who are signed in',
};

/** `perform` calls this itself; others call it only where a body is read before anything is performed. */
export function authorize(operation: AnyOperation, caller: Caller): void {
  if (!isPermitted(operation, caller)) throw lacks(operation.permission!, caller);
  if (caller.suspended !== undefined && operation.effect !== 'read' && operation.evenSuspended !== true) {
    throw new Failure(
      'organization_suspended',
      `This organization is suspended: ${caller.suspended} Nothing is sent and nothing changes until whoever runs ` +
        `this installation resumes it: rostrum org resume ${caller.org}. Reading and opting people out still work.`,
    );
  }
  if (operation.power !== undefined && !caller.powers.has(operation.power)) {
    throw new Failure('forbidden', `${operation.name} is open ${openTo[operation.power]} only.`);
  }
}

export const isPermitted = (
  { permission }: AnyOperation,
  { permissions }: Pick<Caller, 'permissions'>,
): boolean => permission === undefined || permissions.has(permission);

const lacks = (permission: Permission, { org, role }: Caller): Failure =>
  new Failure(
    'forbidden',
    role === undefined
      ? `This credential lacks the permission ${permission}. Use a key that has it; whoever runs this ` +
          `installation makes one: rostrum key create --org ${org} --name NAME --permissions ${permission}`
      : `Your role, ${role}, lacks the permission ${permission}. An owner or an admin can give you another role.`,
  );
