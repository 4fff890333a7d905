import { sql } from 'kysely';
import type { Work } from '../../../database/work.ts';

/** A receiving domain that asked for less: this organization, all who send over its route, or both. */
export interface SlowDomain {
  readonly domain: string;
  readonly slow_until: Date;
  /** When the organization's own next turn is, if it was asked. */
  readonly own_next: Date | null;
  /** When the next turn of all organizations on the route is, if these were asked. */
  readonly next_of_all: Date | null;
}

/** A slow domain gets one message in this time. */
export const turnMs = 60_000;

export async function readSlow({ db, org, now }: Work, domains: readonly string[]): Promise<SlowDomain[]> {
  if (domains.length === 0) return [];
  const { rows } = await sql<SlowDomain>`
    select domain, max(slow_until) as slow_until, max(own_next) as own_next, max(next_of_all) as next_of_all
    from (
      select domain, slow_until, next_at as own_next, null::timestamptz as next_of_all from receiving_domains
      where org_id = ${org} and domain = any(${domains}) and slow_until > ${now}
      union all
      select domain, slow_until, null, next_at from gate.slow_domains(${domains}, ${now})) slow
    group by domain`.execute(db);
  return rows;
}

/** Takes the turns that are to be had. Where both were asked for less, it takes the turn of both. */
export async function takeTurns(work: Work, slow: readonly SlowDomain[]): Promise<Set<string>> {
  const open = slow.filter(({ own_next }) => own_next === null || own_next <= work.now);
  const ofAll = await takeOfAll(
    work,
    open.filter(({ next_of_all }) => next_of_all !== null),
  );
  const granted = open.filter(({ domain, next_of_all }) => next_of_all === null || ofAll.has(domain));
  const own = await takeOwn(
    work,
    granted.filter(({ own_next }) => own_next !== null),
  );
  return namesOf(granted.filter(({ domain, own_next }) => own_next === null || own.has(domain)));
}

async function takeOfAll({ db, now }: Work, slow: readonly SlowDomain[]): Promise<Set<string>> {
  if (slow.length === 0) return new Set();
  const { rows } = await sql<{ domain: string }>`
    select domain from gate.take_turns(${[...namesOf(slow)]}, ${now}, ${nextTurn(now)}) as t(domain)`.execute(
    db,
  );
  return namesOf(rows);
}

async function takeOwn({ db, org, now }: Work, slow: readonly SlowDomain[]): Promise<Set<string>> {
  if (slow.length === 0) return new Set();
  const { rows } = await sql<{ domain: string }>`
    with turns as (
      select domain from receiving_domains
      where org_id = ${org} and domain = any(${[...namesOf(slow)]}) and next_at <= ${now}
      order by domain for update skip locked)
    update receiving_domains d set next_at = ${nextTurn(now)}
    from turns where d.org_id = ${org} and d.domain = turns.domain
    returning d.domain`.execute(db);
  return namesOf(rows);
}

const nextTurn = (now: Date): Date => new Date(now.getTime() + turnMs);

const namesOf = (rows: readonly { readonly domain: string }[]): Set<string> =>
  new Set(rows.map(({ domain }) => domain));
