import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import type { Remembered } from '../../identifiers/suppressed-address.ts';
import type { SentIdentifier } from './sent-person.ts';

interface Suppressed {
  readonly person_id: PersonId;
  readonly email: boolean;
  readonly sms: boolean;
  /** The person asked for it, not a remembered address. */
  readonly asked: boolean;
}

interface Gained {
  readonly id: PersonId;
  readonly gains: readonly SentIdentifier[];
}

/** A person who gains identifiers and, after `optsOutAfter` of them, opts out of email. */
export interface OptingOut extends Gained {
  readonly optsOutAfter: number | undefined;
}

/** Opts out people who bring a remembered address. */
export async function suppressAgain(
  work: Work,
  people: readonly Gained[],
  remembered: Remembered,
): Promise<void> {
  await optOutMany(
    work,
    people.map((one) => ({ ...one, optsOutAfter: undefined })),
    remembered,
  );
}

/**
 * Opts out people who ask and people who bring a remembered address; opts no one in. Returns how many were not opted
 * out of email until they asked. The caller holds them, or has just created them.
 */
export async function optOutMany(
  work: Work,
  people: readonly OptingOut[],
  remembered: Remembered,
): Promise<number> {
  const rows = people.flatMap((one) => suppressedBy(one, remembered) ?? []);
  if (rows.length === 0) return 0;
  // Reads opt-outs as they were before this statement.
  const { rows: counted } = await sql<{ asked: number }>`
    with said as materialized (
      select s.*, o.email_opt_out as was_out
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as s(person_id uuid, email boolean, sms boolean, asked boolean)
      left join lateral (
        select email_opt_out from opt_outs where org_id = ${work.org} and person_id = s.person_id limit 1
      ) o on true
    ), written as (
      insert into opt_outs as o (org_id, person_id, email_opt_out, sms_opt_out, updated_at)
      select ${work.org}, person_id, email, sms, ${work.now} from said
      on conflict (org_id, person_id) do update set
        email_opt_out = o.email_opt_out or excluded.email_opt_out,
        sms_opt_out = o.sms_opt_out or excluded.sms_opt_out,
        email_out_by = case when not excluded.email_opt_out then o.email_out_by end,
        sms_out_by = case when not excluded.sms_opt_out then o.sms_out_by end,
        updated_at = excluded.updated_at
      where (excluded.email_opt_out and (not o.email_opt_out or o.email_out_by is not null))
        or (excluded.sms_opt_out and (not o.sms_opt_out or o.sms_out_by is not null))
    )
    select count(*) as asked from said where asked and was_out is not true`.execute(work.db);
  return counted[0]!.asked;
}

function suppressedBy(
  { id, gains, optsOutAfter }: OptingOut,
  remembered: Remembered,
): Suppressed | undefined {
  let [email, sms] = [false, false];
  let asked = optsOutAfter !== undefined;
  for (const [index, gained] of gains.entries()) {
    const channels = remembered(gained);
    if (channels === undefined) continue;
    // Asking does not opt out a person who already is.
    if (channels.email && index < (optsOutAfter ?? 0)) asked = false;
    email ||= channels.email;
    sms ||= channels.sms;
  }
  email ||= optsOutAfter !== undefined;
  return email || sms ? { person_id: id, email, sms, asked } : undefined;
}
