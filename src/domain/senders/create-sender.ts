import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { holdOrgLock } from '../../database/locks.ts';
import { defineOperation, type Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { newId, type SendingDomainId } from '../../kernel/ids.ts';
import { newDkimKey } from './dkim-key.ts';
import { requestCheck } from './request-check.ts';
import { domainOf, senderInput } from './sender-input.ts';
import { Sender, toSender } from './sender.ts';
import { domainColumns, SendingDomain, toSendingDomain, type DomainRow } from './sending-domain.ts';

const most = 50; // list_senders answers all of them at once, and a model must be able to read it

export const createSender = defineOperation({
  name: 'create_sender',
  title: 'Create a sender',
  summary:
    'Add an address that email comes from. The first sender at a domain makes it a sending domain with a DKIM key of its ' +
    'own: publish the records in sending_domain.records, and the sender is ready once all four are found.',
  permission: 'settings.write',
  effect: 'add',
  creates: true,
  cost: 'heavy', // a key of 2,048 bits takes a core a tenth of a second
  faces: { rest: ['POST /v1/senders'] },
  input: z.strictObject({
    name: senderInput.name,
    email: senderInput.email,
    reply_to: senderInput.reply_to.optional(),
  }),
  output: z.object({ sender: Sender, sending_domain: SendingDomain }),
  handle: async (work, { name, email, reply_to }) => {
    // Under an exclusive lock: two calls at once would both count too few, and both create the domain.
    await holdOrgLock(work, 'adding_sender');
    await refuseMore(work, email);
    const domain = (await findDomain(work, domainOf(email))) ?? (await makeDomain(work, domainOf(email)));
    const row = await work.db
      .insertInto('senders')
      .values({
        org_id: work.org,
        id: newId(work.now),
        name,
        email,
        reply_to: reply_to ?? null,
        domain_id: domain.id,
        created_at: work.now,
        updated_at: work.now,
      })
      .returning(['id', 'name', 'email', 'reply_to'])
      .executeTakeFirstOrThrow();
    const next_check_at =
      domain.verified_at === null ? await requestCheck(work, domain) : domain.next_check_at;
    Object.assign(work.touched, { sender_id: row.id, domain_id: domain.id });
    return {
      sender: toSender(work, row, domain),
      sending_domain: toSendingDomain(work, { ...domain, next_check_at }),
    };
  },
});

async function refuseMore(work: Work, email: string): Promise<void> {
  const { senders, same } = await work.db
    .selectFrom('senders')
    .select((eb) => [
      eb.fn.countAll<number>().as('senders'),
      eb.fn.countAll<number>().filterWhere('email', '=', email).as('same'),
    ])
    .where('org_id', '=', work.org)
    .executeTakeFirstOrThrow();
  if (same > 0) throw new Failure('duplicate_key', `There is a sender with the address ${email} already.`);
  if (senders >= most) refuse('senders');
}

const refuse = (what: string): never => {
  throw new Failure('invalid_request', `An organization may have ${most} ${what}; delete one first.`);
};

const findDomain = (work: Work, domain: string): Promise<DomainRow | undefined> =>
  work.db
    .selectFrom('sending_domains')
    .select(domainColumns)
    .where('org_id', '=', work.org)
    .where('domain', '=', domain)
    .forUpdate()
    .executeTakeFirst();

/** A selector of its own for each row: organizations that share a domain then publish side by side. */
async function makeDomain(work: Work, domain: string): Promise<DomainRow> {
  const { count } = await work.db
    .selectFrom('sending_domains')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', work.org)
    .executeTakeFirstOrThrow();
  if (count >= most) refuse('sending domains');
  const { now } = work.caller; // see request-check.ts
  const id = newId<SendingDomainId>(now);
  const key = await newDkimKey(work.keys.stored, work.org, id);
  return work.db
    .insertInto('sending_domains')
    .values({
      org_id: work.org,
      id,
      domain,
      ownership_token: randomBytes(16).toString('hex'),
      dkim_selector: `rostrum${randomBytes(4).toString('hex')}`,
      dkim_public_key: key.publicKey,
      dkim_private_key: key.sealedPrivateKey,
      next_check_at: now,
      created_at: now,
    })
    .returning(domainColumns)
    .executeTakeFirstOrThrow();
}
