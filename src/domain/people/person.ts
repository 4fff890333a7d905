import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { People } from '../../database/tables.generated.ts';
import { PersonId } from '../../kernel/ids.ts';
import { toMajor } from '../../kernel/money.ts';
import { MomentOut } from '../../kernel/moment.ts';
import { IdentifierType } from '../identifiers/identifier.ts';
import { PropertyType } from '../properties/property-config.ts';
import { PropertyScalarOut } from '../properties/property-value.ts';
import { fixedValues } from '../segments/person-fields.ts';

export const SubscriptionStatus = z.enum(fixedValues.subscription_status);
export const PaymentProcessor = z.enum(fixedValues.payment_processor);
export const HealthBand = z.enum(fixedValues.health_band);

export const PersonSummary = z
  .object({
    id: PersonId,
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    primary_email: z.string().nullable(),
    primary_phone: z.string().nullable(),
    external_user_id: z.string().nullable(),
    subscription_status: SubscriptionStatus.nullable(),
    payment_processor: PaymentProcessor.nullable(),
    mrr: z.number(),
    ltv: z.number(),
    created_at: MomentOut,
  })
  .meta({ id: 'PersonSummary' });

const ContactMethod = z.object({ type: IdentifierType, value: z.string(), is_primary: z.boolean() });

export const Person = PersonSummary.extend({
  primary_contact_method: z.enum(['email', 'phone']).nullable(),
  first_payment_date: MomentOut.nullable(),
  next_payment_date: MomentOut.nullable(),
  cancels_at: MomentOut.nullable(),
  email_engagement_score: z.number().nullable(),
  health_score: z.number().nullable(),
  health_band: HealthBand.nullable(),
  last_opened_at: MomentOut.nullable(),
  last_clicked_at: MomentOut.nullable(),
  last_replied_at: MomentOut.nullable(),
  custom_properties: z.record(
    z.string(),
    z.object({ value: PropertyScalarOut.nullable(), name: z.string(), type: PropertyType }),
  ),
  contact_info: z.object({ primary: ContactMethod.nullable(), all: z.array(ContactMethod) }),
  team_members: z.object({ primary_team_member: z.guid().nullable(), all_assigned: z.array(z.guid()) }),
  updated_at: MomentOut,
}).meta({ id: 'Person' });

export const summaryColumns = [
  'id',
  'first_name',
  'last_name',
  'primary_email',
  'primary_phone',
  'external_user_id',
  'subscription_status',
  'payment_processor',
  'mrr',
  'ltv',
  'created_at',
] as const satisfies readonly (keyof People)[];

export type SummaryRow = Pick<Selectable<People>, (typeof summaryColumns)[number]>;

export const toSummary = (row: SummaryRow, currency: string): z.input<typeof PersonSummary> => ({
  id: row.id as PersonId,
  first_name: row.first_name,
  last_name: row.last_name,
  primary_email: row.primary_email,
  primary_phone: row.primary_phone,
  external_user_id: row.external_user_id,
  subscription_status: row.subscription_status as z.infer<typeof SubscriptionStatus> | null,
  payment_processor: row.payment_processor as z.infer<typeof PaymentProcessor> | null,
  mrr: toMajor(row.mrr, currency),
  ltv: toMajor(row.ltv, currency),
  created_at: row.created_at.toISOString(),
});
