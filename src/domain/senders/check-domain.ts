import type { Selectable } from 'kysely';
import { orgTransaction } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import type { SendingDomains } from '../../database/tables.generated.ts';
import type { OrgId, SendingDomainId } from '../../kernel/ids.ts';
import { withParents } from './domain-name.ts';
import { dmarcHost, wantedRecords, type DomainKeys, type Findings } from './domain-records.ts';
import { hasDmarc, judgeRecords, type Answers } from './judge-records.ts';
import type { LookUp } from './look-up.ts';
import { delayOfNextCheck } from './next-check.ts';

export interface CheckParts {
  readonly database: Database;
  readonly lookUp: LookUp;
  readonly returnPathHost: string;
}

/** One request to check a domain. */
export interface AskedCheck {
  readonly org: OrgId;
  readonly domain: SendingDomainId;
  readonly askedAt: Date;
}

export type CheckOutcome = 'not_needed' | 'verified' | 'lost' | 'unchanged';

/**
 * Looks up a domain's records and stores what it found. Ignores a request that a later check has met already, or whose
 * domain is gone, so a second run does nothing. No transaction is open during the lookups.
 */
export async function checkDomain(parts: CheckParts, asked: AskedCheck, now: Date): Promise<CheckOutcome> {
  const { database, lookUp, returnPathHost } = parts;
  const before = await orgTransaction(database, asked.org, 'read', (db) =>
    read(db, asked).executeTakeFirst(),
  );
  if (before === undefined || (before.checked_at !== null && before.checked_at >= asked.askedAt)) {
    return 'not_needed';
  }
  const answers = await ask(lookUp, before, returnPathHost);
  const findings = judgeRecords(before, returnPathHost, answers);
  return orgTransaction(database, asked.org, 'write', async (db) => {
    const domain = await read(db, asked).forUpdate().executeTakeFirst();
    if (domain === undefined || (domain.checked_at !== null && domain.checked_at > now)) return 'not_needed';
    const verified_at = standingAfter(domain, findings, now);
    const lost_at = domain.verified_at !== null && verified_at === null ? now : domain.lost_at;
    const delay = delayOfNextCheck(
      Object.values(findings).map(({ status }) => status),
      now.getTime() - (lost_at ?? domain.created_at).getTime(),
    );
    await db
      .updateTable('sending_domains')
      .set({
        records: JSON.stringify(findings),
        verified_at,
        lost_at,
        checked_at: now,
        next_check_at: new Date(now.getTime() + delay),
      })
      .where('org_id', '=', asked.org)
      .where('id', '=', asked.domain)
      .execute();
    if ((domain.verified_at === null) === (verified_at === null)) return 'unchanged';
    return verified_at === null ? 'lost' : 'verified';
  });
}

const read = (db: Database, { org, domain }: AskedCheck) =>
  db.selectFrom('sending_domains').selectAll().where('org_id', '=', org).where('id', '=', domain);

/** Since when the domain is verified. A failed lookup neither verifies a domain nor takes that back. */
function standingAfter(domain: Selectable<SendingDomains>, findings: Findings, now: Date): Date | null {
  const statuses = Object.values(findings).map(({ status }) => status);
  if (statuses.includes('missing') || statuses.includes('wrong')) return null;
  return statuses.includes('unreachable') ? domain.verified_at : (domain.verified_at ?? now);
}

async function ask(lookUp: LookUp, domain: DomainKeys, returnPathHost: string): Promise<Answers> {
  const wanted = wantedRecords(domain, returnPathHost);
  const [ownership, dkim, return_path, dmarc] = await Promise.all([
    lookUp.txt(wanted.ownership.host),
    lookUp.txt(wanted.dkim.host),
    lookUp.cname(wanted.return_path.host),
    askDmarc(lookUp, domain.domain),
  ]);
  return { ownership, dkim, return_path, dmarc };
}

/** Walks up the tree until a name has a record or cannot be looked up. */
async function askDmarc(lookUp: LookUp, domain: string): Promise<Answers['dmarc']> {
  const answers: { host: string; answer: Awaited<ReturnType<LookUp['txt']>> }[] = [];
  for (const host of withParents(domain).map(dmarcHost)) {
    const answer = await lookUp.txt(host);
    answers.push({ host, answer });
    if (answer.kind === 'unreachable' || hasDmarc(answer)) break;
  }
  return answers;
}
