import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { newId, type SendingDomainId } from '../../src/kernel/ids.ts';
import { keyring } from '../../src/main/keys.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

interface SenderFields {
  readonly ready?: boolean;
  readonly name?: string;
  readonly email?: string;
  readonly reply_to?: string;
}

let key: { pem: string; inDns: string } | undefined;

/** One key for every domain of a process: making one takes a tenth of a second, and no test here asks whose it is. */
function dkimKey(): { pem: string; inDns: string } {
  if (key !== undefined) return key;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const inDns = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
  return (key = { pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, inDns });
}

/** A sender as `create_sender` makes it and DNS has proven its domain or not, by one statement. */
export async function newSender(
  { admin, config }: World,
  org: TestOrg,
  {
    ready = true,
    name = 'The News',
    email = `news@${randomUUID().slice(0, 8)}.test`,
    reply_to,
  }: SenderFields = {},
): Promise<string> {
  const now = new Date();
  const [domain, sender] = [newId<SendingDomainId>(now), newId(now)];
  const { pem, inDns } = dkimKey();
  const sealed = keyring(config).stored.seal(pem, `dkim key of ${org.id} ${domain}`);
  await admin.query(
    // Checked a little later than now, so that no check that is under way changes it.
    `with domain as (
       insert into sending_domains (org_id, id, domain, ownership_token, dkim_selector, dkim_public_key,
         dkim_private_key, verified_at, checked_at, next_check_at, created_at)
       values ($1, $2, split_part($3::text, '@', 2), md5(random()::text), 'rostrum' || left(md5(random()::text), 8), $4, $5,
         case when $6::boolean then now() end, now() + interval '1 minute', now() + interval '1 year', now())
       on conflict (org_id, domain) do update
         set verified_at = excluded.verified_at, checked_at = excluded.checked_at,
             next_check_at = excluded.next_check_at
       returning id)
     insert into senders (org_id, id, name, email, reply_to, domain_id, created_at, updated_at)
     select $1::uuid, $7::uuid, $8::text, $3::text, $9::text, id, now(), now() from domain`,
    [org.id, domain, email, inDns, sealed, ready, sender, name, reply_to ?? null],
  );
  return sender;
}
