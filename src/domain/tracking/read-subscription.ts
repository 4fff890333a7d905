import { sql } from 'kysely';
import { orgTransaction } from '../../database/org-transaction.ts';
import type { Database } from '../../database/pool.ts';
import type { OrgId } from '../../kernel/ids.ts';

/** What a recipient may learn about a message: the sender, the channel, and whether more will come. */
export interface Subscription {
  readonly channel: 'email' | 'sms';
  readonly organization: string;
  /** The sender's name; null for a text. */
  readonly sender: string | null;
  readonly isOut: boolean;
  /** Whether the recipient opted out by this message's own link, and so may come back by it. */
  readonly mayReturn: boolean;
}

/**
 * `forgotten` when the message is past what the organization keeps, so that nobody knows whose it was; undefined when the
 * organization is gone as well. A deleted person counts as opted out.
 */
export const readSubscription = (
  database: Database,
  org: OrgId,
  delivery: number,
): Promise<Subscription | 'forgotten' | undefined> =>
  orgTransaction(database, org, 'read', async (db) => {
    const { rows } = await sql<Subscription>`
      select b.channel, coalesce(l.company_name, g.name) as organization, s.name as sender,
        d.person_id is null or coalesce(
          case b.channel when 'email' then o.email_opt_out else o.sms_opt_out end, false) as "isOut",
        coalesce(d.id = case b.channel
          when 'email' then case when o.email_opt_out then o.email_out_by end
          else case when o.sms_opt_out then o.sms_out_by end end, false) as "mayReturn"
      from deliveries d
      join broadcasts b on b.org_id = d.org_id and b.id = d.broadcast_id
      join organizations g on g.id = d.org_id
      left join email_layouts l on l.org_id = d.org_id
      left join senders s on s.org_id = d.org_id and s.id = b.sender_id
      left join opt_outs o on o.org_id = d.org_id and o.person_id = d.person_id
      where d.org_id = ${org} and d.id = ${delivery}`.execute(db);
    if (rows[0] !== undefined) return rows[0];
    const { rows: stays } = await sql`
      select 1 from organizations where id = ${org} and state <> 'deleting'`.execute(db);
    return stays.length > 0 ? 'forgotten' : undefined;
  });
