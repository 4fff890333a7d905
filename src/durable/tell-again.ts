import { sql, type RawBuilder } from 'kysely';
import { payloadOf, type Due, type DueBy } from '../database/engine-message.ts';
import { engineMessages, type MessageName } from '../database/engine-messages.ts';
import { addRowsToOutbox, outboxFrom } from '../database/outbox.ts';
import type { Database } from '../database/pool.ts';

/** Up to when rows count as due. An engine that lost everything is also sent alarms ahead of their time. */
export interface Until {
  readonly overdueSeconds: number;
  readonly alarmsAheadSeconds?: number;
}

/** Writes an outbox row for each due row that has none there yet. Returns how many. */
export function tellAgain(
  db: Database,
  now: Date,
  name: MessageName,
  { overdueSeconds, alarmsAheadSeconds = 0 }: Until,
  most: number,
): Promise<number> {
  const { due } = engineMessages[name];
  const late = due.alarm === true ? overdueSeconds - alarmsAheadSeconds : overdueSeconds;
  const latest = sql`${now}::timestamptz - make_interval(secs => ${late})`;
  const rows = dueRows(due, { now, latest, engineLost: alarmsAheadSeconds > 0 });
  return addRowsToOutbox(
    db,
    now,
    name,
    sql`
      select d.org_id, d.payload, d.since from (${rows}) d
      where not exists (
        select 1 from outbox o where o.org_id = d.org_id and o.tx >= ${outboxFrom} and o.service = ${name}
          and o.payload ->> ${due.names} = d.payload ->> ${due.names})
      order by d.since
      limit ${most}`,
  );
}

/** The rows that are due by the service's clock. */
export function passedRows(due: Due, by: DueBy): RawBuilder<unknown> {
  const { row, from, where, at } = partsOf(due, by);
  return sql`select ${row} from ${from} d where ${where} and ${at} <= ${by.latest}`;
}

const ofActive = sql`d.org_id <> all (array(select id from organizations where state <> 'active'))`;

function dueRows(due: Due, by: DueBy): RawBuilder<unknown> {
  const passed = passedRows(due, by);
  if (due.clock === 'service') return passed;
  const { row, from, where, at } = partsOf(due, by);
  // Clocks only ever run ahead, so a real time that has passed has passed for every organization. Rows that are due
  // only by a test organization's clock are searched for in test organizations alone.
  return sql`
    ${passed}
    union all
    select ${row} from organizations o join ${from} d on d.org_id = o.id
    where o.clock_ahead_ms > 0 and ${where} and ${at} > ${by.latest}
      and ${at} <= ${by.latest} + make_interval(secs => o.clock_ahead_ms / 1000.0)`;
}

function partsOf(due: Due, by: DueBy) {
  const at = sql.ref(`d.${due.at}`);
  return {
    at,
    row: sql`d.org_id, ${at} as since, ${payloadOf(due)} as payload`,
    from: typeof due.from === 'string' ? sql.table(due.from) : due.from(by),
    where: sql`${due.where?.(by) ?? sql`true`} and ${due.rests === true ? ofActive : sql`true`}`,
  };
}
