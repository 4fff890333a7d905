import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Senders } from '../../database/tables.generated.ts';
import type { Work } from '../../database/work.ts';
import { Failure } from '../../kernel/failure.ts';
import { SenderId } from '../../kernel/ids.ts';
import { notReadyReason, type DomainRow } from './sending-domain.ts';

export const Sender = z
  .object({
    id: SenderId,
    name: z.string(),
    from: z.string().describe('As recipients see it: Name <address>.'),
    email: z.string(),
    reply_to: z.string().describe('Where answers go: the reply-to that was set, else the address itself.'),
    domain: z.string(),
    ready: z.boolean().describe('Its sending domain is verified.'),
    not_ready_reason: z
      .string()
      .nullable()
      .describe('The first DNS record that is not right, and what it should be.'),
  })
  .meta({ id: 'Sender' });
export type SenderRecord = z.input<typeof Sender>;

/** A sender if there is one, as the list shows it. */
export const readSender = async (work: Work, id: SenderId): Promise<SenderRecord | undefined> =>
  (await readSenders(work, id))[0];

/** Every sender in the order they were made, or the one. */
export async function readSenders(work: Work, id?: SenderId): Promise<SenderRecord[]> {
  const rows = await work.db
    .selectFrom('senders as s')
    .innerJoin('sending_domains as d', (join) =>
      join.onRef('d.org_id', '=', 's.org_id').onRef('d.id', '=', 's.domain_id'),
    )
    .select(['s.id', 's.name', 's.email', 's.reply_to'])
    .select([
      'd.domain',
      'd.ownership_token',
      'd.dkim_selector',
      'd.dkim_public_key',
      'd.records',
      'd.verified_at',
    ])
    .where('s.org_id', '=', work.org)
    .$if(id !== undefined, (query) => query.where('s.id', '=', id!))
    .orderBy('s.created_at')
    .orderBy('s.id')
    .execute();
  return rows.map((row) => toSender(work, row, row));
}

export const toSender = (
  work: Work,
  sender: Pick<Selectable<Senders>, 'id' | 'name' | 'email' | 'reply_to'>,
  domain: Parameters<typeof notReadyReason>[1] & Pick<DomainRow, 'domain'>,
): SenderRecord => ({
  id: sender.id as SenderId,
  name: sender.name,
  from: displayFrom(sender.name, sender.email),
  email: sender.email,
  reply_to: sender.reply_to ?? sender.email,
  domain: domain.domain,
  ready: domain.verified_at !== null,
  not_ready_reason: notReadyReason(work, domain),
});

// RFC 5322 atoms and the spaces between them, and letters beyond ASCII, need no quotes. `=?` would begin an encoded word.
const plainName =
  /^(?!.*=\?)[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+( [\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+)*$/u;

export const displayFrom = (name: string, email: string): string =>
  `${plainName.test(name) ? name : `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`} <${email}>`;

export async function requireSender(work: Work, id: SenderId): Promise<SenderRecord> {
  const sender = await readSender(work, id);
  if (sender === undefined) throw senderNotFound();
  return sender;
}

export const senderNotFound = (): Failure =>
  new Failure('not_found', 'No sender with this id exists in this organization.');
