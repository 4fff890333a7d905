import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Events } from '../../database/tables.generated.ts';
import { MomentOut } from '../../kernel/moment.ts';

/** What the names of the service's own events begin with. No caller may use it. */
export const reservedPrefix = '$svc_';

export const EventName = z.string().min(1).max(200);

export const Event = z
  .object({
    id: z.guid(),
    event_name: EventName.describe(`The service's own begin with ${reservedPrefix}.`),
    custom_properties: z.record(z.string(), z.unknown()),
    occurred_at: MomentOut,
    created_at: MomentOut,
  })
  .meta({ id: 'Event' });

export type EventRow = Pick<
  Selectable<Events>,
  'id' | 'name' | 'custom_properties' | 'occurred_at' | 'created_at'
>;

export const toEvent = (row: EventRow): z.input<typeof Event> => ({
  id: row.id,
  event_name: row.name,
  custom_properties: row.custom_properties as Record<string, unknown>,
  occurred_at: row.occurred_at.toISOString(),
  created_at: row.created_at.toISOString(),
});
