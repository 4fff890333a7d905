import { sql, type SqlBool } from 'kysely';
import { holdIdlePeople } from '../../../database/hold-people.ts';
import { planForAny } from '../../../database/planner.ts';
import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import type { Claimed } from '../../delivery/ledger/ledger.ts';
import { inMonthsOf } from '../../delivery/ledger/ledger-month.ts';
import { suppressedAmong } from '../../identifiers/suppressed-address.ts';
import type { Settled } from '../../delivery/ledger/settle.ts';
import { audienceOf, exclusion } from '../plan/audience.ts';
import { deletedAmong } from './gone-people.ts';
import type { Run } from './run.ts';
import { unregisteredOf } from './unregistered.ts';

/** A person who may be written to, locked until the message is handed over. */
export interface Recipient extends Claimed {
  readonly person_id: PersonId;
  readonly address: string;
}

export interface Checked {
  readonly go: readonly Recipient[];
  /** Recipients that are left out, and recipients that another transaction is changing, to be checked again. */
  readonly aside: readonly Settled[];
}

const soonMs = 1_000;

/**
 * Checks all recipients once more just before hand-over. A suppression must lock its person `alone`; so people are
 * locked first and checked then, and no message goes out after a suppression committed. People whom another transaction
 * is changing are not waited for.
 */
export async function checkWindow(work: Work, run: Run, claimed: readonly Claimed[]): Promise<Checked> {
  const ids = claimed.flatMap(({ person_id }) => person_id ?? []);
  const heldIds = await holdIdlePeople(work, ids, 'staying');
  await planForAny(work.db);
  const gone = await deletedAmong(
    work,
    claimed.filter(({ person_id }) => person_id !== null && !heldIds.has(person_id)),
  );
  const judged =
    heldIds.size === 0
      ? new Map<string, Judged>()
      : await judge(
          work,
          run,
          [...heldIds],
          claimed.map(({ id }) => id),
        );
  const left = run.draft.audience === 'workflow' ? await unregisteredOf(work, claimed) : new Set<number>();
  const suppressed = await suppressedAmong(
    work,
    run.draft.channel,
    [...judged.values()].flatMap(({ address }) => address ?? []),
  );
  const go: Recipient[] = [];
  const aside: Settled[] = [];
  const skip = (id: number, reason: string) => aside.push({ id, state: 'skipped', reason, untried: true });
  for (const one of claimed) {
    const { id, person_id } = one;
    const found = person_id === null ? undefined : judged.get(person_id);
    if (person_id === null || gone.has(id)) skip(id, 'deleted');
    else if (!heldIds.has(person_id) || found?.twin === 'in_hand')
      aside.push({ id, state: 'pending', due_at: new Date(work.now.getTime() + soonMs), untried: true });
    else if (found === undefined || left.has(id)) skip(id, 'left_audience');
    else {
      const reason = reasonAgainst(found, run.draft.channel, suppressed);
      if (reason !== undefined) skip(id, reason);
      else go.push({ ...one, person_id, address: found.address! });
    }
  }
  return { go, aside };
}

/** Why somebody of the audience is left out; undefined: they may be written to. */
export function reasonAgainst(
  { excluded, twin, address }: Judged,
  channel: Run['draft']['channel'],
  suppressed: ReadonlyMap<string, string>,
): string | undefined {
  if (excluded !== null) return excluded;
  if (twin === 'has_it') return 'duplicate_address';
  if (address === null) return 'no_address';
  return isAddress[channel].test(address) ? suppressed.get(address) : 'invalid_address';
}

export interface Judged {
  readonly id: string;
  readonly excluded: string | null;
  readonly address: string | null;
  /** Another row of this person, who was two people when the broadcast began. */
  readonly twin: 'has_it' | 'in_hand' | null;
}

/** One address, and nothing that could end a command to the mail server. */
const isAddress = {
  email: /^[^\s<>()[\],;:\\"@\p{Cc}]+@[^\s<>()[\],;:\\"@\p{Cc}]+$/u,
  sms: /^\+[1-9]\d{6,14}$/,
};

/** People of the audience among some, with what speaks against writing to them. */
export async function judge(
  work: Work,
  { draft, segment, row }: Pick<Run, 'draft' | 'segment' | 'row'>,
  ids: readonly PersonId[],
  claimed: readonly number[],
): Promise<Map<string, Judged>> {
  const twin = sql<Judged['twin']>`(
    select case when bool_or(t.state in ('sent', 'uncertain')) then 'has_it'
      when bool_or(t.state = 'sending') then 'in_hand' end
    from deliveries t
    where t.org_id = ${work.org} and t.person_id = people.id and t.broadcast_id = ${row.id} and t.twin is not null
      and t.occasion is null and ${inMonthsOf('t.id', claimed)})`;
  // Built anew: a query belongs to the transaction it was built in, and the run was read in another.
  const { people } = audienceOf(work, draft, segment?.conditions);
  // Registrants are bounded by their own column, too: else all of them are read until the first statistics are there.
  const columns = draft.audience === 'webinar' ? ['people.id', 'r.person_id'] : ['people.id'];
  const among = columns.map((column) => sql<SqlBool>`${sql.ref(column)} = any(${ids}::uuid[])`);
  const bounded = among.reduce((query, one) => query.where(one), people);
  const rows = await exclusion(work, bounded, draft.channel)
    .select(['people.id', twin.as('twin')])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
