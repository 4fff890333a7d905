import type { Database } from '../../database/pool.ts';
import { newId } from '../../kernel/ids.ts';

export type AccountAct =
  | 'account_made'
  | 'signed_in'
  | 'code_asked'
  | 'signed_out'
  | 'session_ended'
  | 'other_sessions_ended'
  | 'password_reset'
  | 'password_changed'
  | 'two_steps_on'
  | 'two_steps_off'
  | 'recovery_code_used'
  | 'recovery_codes_renewed';

export interface NotedAct {
  readonly userId: string;
  readonly act: AccountAct;
  readonly sessionId?: string;
  readonly address: string;
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
