import { z } from 'zod';
import { PersonId } from '../../../kernel/ids.ts';
import { MomentOut, outgoing } from '../../../kernel/moment.ts';
import { outcomeOf, outcomes } from './outcome.ts';

export const moments = [
  'sent_at',
  'delivered_at',
  'opened_at',
  'clicked_at',
  'replied_at',
  'bounced_at',
  'complained_at',
  'unsubscribed_at',
] as const;
type MomentName = (typeof moments)[number];

/** A ledger row as the API shows it: its outcome, and what happened when. */
export const Recipient = z
  .object({
    person_id: PersonId.nullable().describe(
      'null: the person was deleted, or merged into another recipient.',
    ),
    outcome: z.enum(outcomes),
    reason: z.string().nullable(),
    due_at: MomentOut,
    ...(Object.fromEntries(moments.map((name) => [name, MomentOut.nullable()])) as Record<
      MomentName,
      z.ZodNullable<typeof MomentOut>
    >),
  })
  .meta({ id: 'Recipient' });

export type RecipientRow = {
  readonly person_id: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly due_at: Date;
} & { readonly [Name in MomentName]: Date | null };

export const toRecipient = (row: RecipientRow): z.input<typeof Recipient> => ({
  person_id: row.person_id as PersonId | null,
  outcome: outcomeOf(row.state),
  reason: row.reason,
  due_at: row.due_at.toISOString(),
  ...(Object.fromEntries(moments.map((name) => [name, outgoing(row[name])])) as Record<
    MomentName,
    string | null
  >),
});
