import { sql } from 'kysely';
import type { Database } from '../../database/pool.ts';
import { newId } from '../../kernel/ids.ts';

export type AccountAct =
  | 'account_made'
  | 'installation_set_up'
  | 'signed_in'
  | 'password_wrong'
  | 'code_wrong'
  | 'passkey_copied'
  | 'code_asked'
  | 'signed_out'
  | 'session_ended'
  | 'other_sessions_ended'
  | 'password_reset'
  | 'password_changed'
  | 'two_steps_on'
  | 'two_steps_off'
  | 'recovery_code_used'
  | 'recovery_codes_renewed'
  | 'passkey_added'
  | 'passkey_renamed'
  | 'passkey_removed'
  | 'identity_linked'
  | 'identity_unlinked';

export interface NotedAct {
  readonly userId: string;
  readonly act: AccountAct;
  readonly sessionId?: string;
  readonly address: string;
}

/**
 * The audit row of a wrong password. One statement whether the address has an account or not, so that its time tells
 * nothing. There are no more of them than attempts that were looked at.
 */
export async function noteWrongPassword(
  db: Database,
  { email, address }: { readonly email: string; readonly address: string },
  now: Date,
): Promise<void> {
  const act: AccountAct = 'password_wrong';
  await sql`
    insert into auth.audit_log (id, at, user_id, act, address)
    select ${newId(now)}, ${now}, id, ${act}, ${address} from auth.users where email = ${email}`.execute(db);
}

/** The audit row of what became of an account, in the transaction that did it. */
export async function noteAct(
  db: Database,
  { userId, act, sessionId, address }: NotedAct,
  now: Date,
): Promise<void> {
  await db
    .insertInto('auth.audit_log')
    .values({ id: newId(now), at: now, user_id: userId, act, session_id: sessionId ?? null, address })
    .execute();
}
