import pg from 'pg';
import type { BenchOrg } from '../support/bench-database.ts';
import type { RestClient } from '../support/rest-client.ts';

/** How many of the seeded people are suppressed: one in so many opted out, one in so many has a blacklisted address. */
const optedOutOneIn = 30;
const blacklistedOneIn = 100;

/** Suppresses some people, once, and gives the organization a sender whose domain counts as verified, and a layout. */
export async function arrange(url: string, org: BenchOrg, service: RestClient): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `insert into opt_outs (org_id, person_id, email_opt_out, sms_opt_out, updated_at)
     select org_id, id, true, false, now() from people
     where org_id = $1 and substr(external_user_id, 5)::int % ${optedOutOneIn} = 0
     on conflict do nothing`,
    [org.id],
  );
  await client.query(
    `insert into email_blacklist (org_id, id, person_id, email, reason, created_at)
     select org_id, gen_random_uuid(), id, primary_email,
       (array['bounced', 'complained', 'blacklisted'])[1 + substr(external_user_id, 5)::int % 3], now() from people
     where org_id = $1 and primary_email is not null and substr(external_user_id, 5)::int % ${blacklistedOneIn} = 1
     on conflict do nothing`,
    [org.id],
  );
  await client.query('vacuum analyze opt_outs, email_blacklist, people');
  const { sender } = (await service.call('POST', '/v1/senders', {
    name: 'Bench',
    email: `news@${crypto.randomUUID().slice(0, 8)}.test`,
  })) as { sender: { id: string } };
  await client.query('update sending_domains set verified_at = now() where org_id = $1', [org.id]);
  await client.end();
  await service.call('PUT', '/v1/email-layout', { company_name: 'Bench', postal_address: '1 Main Street' });
  return sender.id;
}
