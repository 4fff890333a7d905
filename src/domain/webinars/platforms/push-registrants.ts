import { sql } from 'kysely';
import type { Database } from '../../../database/pool.ts';
import type { ServiceParts } from '../../../database/service-work.ts';
import type { Work } from '../../../database/work.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { OrgId } from '../../../kernel/ids.ts';
import { asService } from '../../orgs/as-service.ts';
import { claimPushes, type Claim, type Claimed } from './claim-pushes.ts';
import type { Pushed, Registrant, Retry } from './connector.ts';
import type { Connectors } from './registry.ts';
import { noteTrouble, postponePush, settlePush } from './settle-push.ts';

export interface PushParts extends ServiceParts {
  readonly database: Database;
  readonly connectors: Connectors;
  readonly clock: Clock;
}

export interface PushRef {
  readonly org: OrgId;
  readonly webinar: string;
  /** The holder of this ticket continues pushing. Without a ticket, a new push begins. */
  readonly ticket?: number;
  /** How many claims in a row met trouble with the platform or the account. */
  readonly troubles?: number;
}

export interface Next {
  readonly ticket?: number;
  readonly troubles: number;
  readonly waitMs: number;
}

const longestWaitMs = 3_600_000; // a longer wait is left to the sweep

/**
 * Pushes the next registrants of a webinar to its platform and returns when to continue, or nothing when another
 * process is pushing or no registrant is left for now. No transaction is open during calls to the platform.
 */
export async function pushRegistrants(parts: PushParts, ref: PushRef): Promise<Next | undefined> {
  const asked = { org: ref.org, actor: 'platform_push', requestId: `push ${ref.webinar}` };
  const act = <T>(handle: (work: Work) => Promise<T>, rests = false): Promise<T | undefined> =>
    asService(parts.database, parts, { ...asked, now: parts.clock.now(), rests }, handle);
  const looked = await act(
    async (work) => ({ claim: await claimPushes(work, ref.webinar, ref.ticket, parts.clock.now()) }),
    true,
  );
  const claim = looked?.claim;
  if (claim === undefined) {
    if (ref.ticket === undefined) return undefined;
    await act((work) => release(work, ref));
    // While its organization is suspended nobody is pushed; the sweep says when it goes on.
    return looked && act((work) => lookAgain(work, ref, parts.clock.now()));
  }
  const trouble = await workOff(parts, ref, claim, act);
  const troubles = trouble === undefined ? 0 : (ref.troubles ?? 0) + 1;
  return { ticket: claim.ticket, troubles, waitMs: 0 };
}

type Act = <T>(handle: (work: Work) => Promise<T>) => Promise<T | undefined>;

/** Pushes several registrants at once. When an answer says that others would fail too, postpones those not begun. */
async function workOff(
  { connectors, clock }: PushParts,
  ref: PushRef,
  claim: Claim,
  act: Act,
): Promise<Retry | undefined> {
  const { event, link } = claim;
  const waiting = [...claim.registrants];
  let trouble: Retry | undefined;
  let hadTrouble = claim.hadTrouble;

  const settle = async (one: Claimed, pushed: Pushed | undefined): Promise<void> => {
    const settling = { webinar: ref.webinar, link, registration: one.id, now: clock.now() };
    if (pushed !== undefined && pushed.status !== 'retry') {
      await act(async (work) => {
        await settlePush(work, settling, pushed);
        if (hadTrouble && pushed.status !== 'refused') await noteTrouble(work, event.account.id, null);
      });
      hadTrouble = false;
      return;
    }
    const resumeAt = resumeAfter(pushed ?? trouble!, ref.troubles ?? 0, settling.now);
    await act((work) => postponePush(work, settling, pushed, resumeAt));
  };

  const one = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const person = claim.over === undefined ? registrantOf(next) : undefined;
      const pushed: Pushed | undefined =
        claim.over !== undefined
          ? { status: 'refused', why: claim.over }
          : person === undefined
            ? { status: 'refused', why: 'the person has no email address, and the platform needs one' }
            : trouble === undefined
              ? await connectors[claim.platform].pushRegistrant(event, person, next.id, clock.now())
              : undefined;
      if (pushed?.status === 'retry' && pushed.about !== 'registrant') trouble ??= pushed;
      await settle(next, pushed);
    }
  };
  await Promise.all(Array.from({ length: claim.limits.atOnce }, one));
  if (trouble?.about === 'account') await act((work) => noteTrouble(work, event.account.id, trouble!.why));
  return trouble;
}

/** The moment the platform named; else after a growing pause, a long one if the account must be repaired first. */
function resumeAfter({ retryAt, about }: Retry, troubles: number, now: Date): Date {
  const pauseMs = about === 'account' ? 300_000 : Math.min(20_000 * 2 ** troubles, 600_000);
  return retryAt ?? new Date(now.getTime() + pauseMs);
}

function registrantOf({ email, first_name, last_name }: Claimed): Registrant | undefined {
  if (email === null) return undefined;
  const firstName = first_name ?? last_name ?? email.slice(0, email.indexOf('@'));
  return { email, firstName, ...(first_name !== null && last_name !== null && { lastName: last_name }) };
}

const release = ({ db, org }: Work, { webinar, ticket }: PushRef): Promise<unknown> =>
  sql`
    update platform_links set push_until = null
    where org_id = ${org} and webinar_id = ${webinar} and push_ticket = ${ticket}`.execute(db);

/** Runs after the ticket was returned: a message that came in between found this process at work and did nothing. */
async function lookAgain({ db, org }: Work, ref: PushRef, now: Date): Promise<Next | undefined> {
  const { at } = await db
    .selectFrom('registrations')
    .select((eb) => eb.fn.min('push_next_at').as('at'))
    .where('org_id', '=', org)
    .where('webinar_id', '=', ref.webinar)
    .where('push_next_at', 'is not', null)
    .executeTakeFirstOrThrow();
  const waitMs = at === null ? Number.POSITIVE_INFINITY : Math.max(0, at.getTime() - now.getTime());
  return waitMs > longestWaitMs ? undefined : { troubles: ref.troubles ?? 0, waitMs };
}
