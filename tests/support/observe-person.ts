import { engagementOf } from './engagement.ts';
import type { World } from './world.ts';

/** What no operation writes: it comes from the payment mirror, from tracking, from scoring and from the dashboard. */
export interface Observed {
  readonly subscription_status?: string;
  readonly payment_processor?: string;
  /** Minor units. */
  readonly mrr?: number;
  /** Minor units. */
  readonly ltv?: number;
  readonly first_payment_date?: string;
  readonly next_payment_date?: string;
  readonly cancels_at?: string;
  /** A whole number; it holds for as long as the service's clock goes on from now. */
  readonly email_engagement_score?: number | null;
  readonly last_opened_at?: string;
  readonly last_clicked_at?: string;
  readonly last_replied_at?: string;
  readonly health_score?: number;
  readonly health_band?: string;
  readonly primary_team_member?: string;
  readonly assigned_team_members?: readonly string[];
  readonly created_at?: string;
  readonly updated_at?: string;
}

/** Writes onto a person what the service would have observed about it. */
export async function observe({ admin, clock }: World, person: string, observed: Observed): Promise<void> {
  const { email_engagement_score: score, ...asStored } = observed;
  const engagement = typeof score === 'number' ? engagementOf(score, clock.now()) : score;
  const stored = engagement === undefined ? asStored : { ...asStored, engagement };
  const columns = Object.keys(stored).map((column, at) => `${column} = $${at + 2}`);
  const { rowCount } = await admin.query(`update people set ${columns.join(', ')} where id = $1`, [
    person,
    ...Object.values(stored),
  ]);
  if (rowCount !== 1) throw new Error(`${rowCount} people have the id ${person}`);
}
