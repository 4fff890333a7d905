import { sql } from 'kysely';
import type { Work } from '../../database/work.ts';
import type { PersonId } from '../../kernel/ids.ts';
import type { Claimed } from '../delivery/ledger.ts';
import { suppressedAmong } from '../identifiers/suppressed-address.ts';
import type { Settled } from '../delivery/settle.ts';
import { exclusion } from './audience.ts';
import { goneOf } from './gone-people.ts';
import type { Run } from './run.ts';
import { unregisteredOf } from './unregistered.ts';

/** Somebody who may be written to, and is held until the message is handed over. */
export interface Recipient extends Claimed {
  readonly person_id: PersonId;
  readonly address: string;
}

export interface Checked {
  readonly go: readonly Recipient[];
  /** Who is left out, and who is being changed by somebody else and must be looked at again. */
  readonly aside: readonly Settled[];
}

const soonMs = 1_000;

/**
 * Looks once more at everybody just before hand-over. Whoever suppresses a person must hold it alone; so these are held
 * first and looked at then, and nobody is written to once a suppression was committed. Somebody who is being changed at
 * this moment is not waited for.
 */
export async function checkWindow(work: Work, run: Run, claimed: readonly Claimed[]): Promise<Checked> {
  const { db, org, now } = work;
  const ids = claimed.flatMap(({ person_id }) => person_id ?? []);
  const held = await sql<{ id: PersonId }>`
    select id from people where org_id = ${org} and id = any(${ids}::uuid[])
    order by id for key share skip locked`.execute(db);
  const heldIds = new Set(held.rows.map(({ id }) => id));
  const gone = await goneOf(
    work,
    claimed.filter(({ person_id }) => person_id !== null && !heldIds.has(person_id)),
  );
  const judged = heldIds.size === 0 ? new Map<string, Judged>() : await judge(work, run, [...heldIds]);
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
      aside.push({ id, state: 'pending', due_at: new Date(now.getTime() + soonMs), untried: true });
    else if (found === undefined || left.has(id)) skip(id, 'left_audience');
    else if (found.excluded !== null) skip(id, found.excluded);
    else if (found.twin === 'has_it') skip(id, 'duplicate_address');
    else if (found.address === null || !isAddress[run.draft.channel].test(found.address))
      skip(id, found.address === null ? 'no_address' : 'invalid_address');
    else if (suppressed.has(found.address)) skip(id, suppressed.get(found.address)!);
    else go.push({ ...one, person_id, address: found.address });
  }
  return { go, aside };
}

interface Judged {
  readonly id: string;
  readonly excluded: string | null;
  readonly address: string | null;
  /** Another row of this person, who was two when the broadcast began. */
  readonly twin: 'has_it' | 'in_hand' | null;
}

/** What a mail server is asked to take: one address, nothing that ends a command. */
const isAddress = {
  email: /^[^\s<>()[\],;:\\"@\p{Cc}]+@[^\s<>()[\],;:\\"@\p{Cc}]+$/u,
  sms: /^\+[1-9]\d{6,14}$/,
};

async function judge(
  work: Work,
  { audience, draft, row }: Run,
  ids: readonly PersonId[],
): Promise<Map<string, Judged>> {
  const twin = sql<Judged['twin']>`(
    select case when bool_or(t.state in ('sent', 'uncertain')) then 'has_it'
      when bool_or(t.state = 'sending') then 'in_hand' end
    from deliveries t
    where t.org_id = ${work.org} and t.person_id = people.id and t.broadcast_id = ${row.id} and t.twin <> 0
      and t.occasion = 0)`;
  const rows = await exclusion(work, audience.people.where('people.id', 'in', ids), draft.channel)
    .select(['people.id', twin.as('twin')])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
