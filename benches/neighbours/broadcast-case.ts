import { setTimeout as pause } from 'node:timers/promises';
import { newDraft, schedule, type Setting } from '../send/arrange.ts';
import type { Service } from '../send/service.ts';
import { tell } from '../support/command.ts';
import { atMost, exactly, told, type Figure } from '../support/figure.ts';
import type { Sink } from '../support/start-sink.ts';

/** A webinar of an organization that can send, and how many are registered. */
export interface Audience {
  readonly setting: Setting;
  readonly webinar: string;
  readonly people: number;
}

export interface Stage {
  readonly service: Service;
  readonly sink: Sink;
}

const leadMs = 4_000; // until all that is due has been told to the engine
const patienceMs = 60_000;
const lookMs = 50;
const reached = `select extract(epoch from started_at)::float8 * 1000 as began,
  extract(epoch from prepared_at)::float8 * 1000 as prepared from broadcasts where id = $1`;

const standing = `select lane, ticket, next_at, resting, (select count(*)::int from outbox) as outbox
  from delivery_lanes where broadcast_id = $1 order by lane`;

/** Seconds from the time it is due to its first and to its last message. */
export interface Soon {
  readonly first: number;
  readonly last: number;
}

export async function newScheduled({ setting, webinar }: Audience): Promise<string> {
  const id = await newDraft(setting, webinar);
  await schedule(setting, id);
  return id;
}

/** Sets the time of broadcasts to the same moment, soon; the engine's alarms ring for them then. */
async function dueSoon(
  { service }: Stage,
  { setting: { rows } }: Audience,
  ids: readonly string[],
): Promise<number> {
  // What the outbox still holds is not told again, and may be under way with the time from before.
  const inOutbox = `select from outbox where service = 'BroadcastStart' and payload ->> 'broadcast_id' = any($1)`;
  while (((await rows.query(inOutbox, [ids])).rowCount ?? 0) > 0) await pause(lookMs);
  const due = Date.now() + leadMs;
  await rows.query('update broadcasts set send_at = $1 where id = any($2)', [new Date(due), ids]);
  await service.rearm();
  return due;
}

/**
 * Sends a broadcast to a few while something goes on, which `meanwhile` begins before the time and ends when it is
 * told to; `others` are due at the same moment. Judges when the mail server accepted the first and the last message.
 */
export async function broadcastCase(
  name: string,
  stage: Stage,
  victim: Audience,
  bars: Soon,
  {
    others = [],
    meanwhile = () => Promise.resolve(undefined),
  }: {
    others?: readonly string[];
    meanwhile?: (due: number) => Promise<(() => Promise<unknown>) | undefined>;
  },
): Promise<Figure[]> {
  const { sink } = stage;
  const own = await newScheduled(victim);
  await sink.mark(victim.setting.domain);
  const due = await dueSoon(stage, victim, [...others, own]);
  const end = await meanwhile(due);
  await pause(Math.max(0, due - Date.now()));
  let seen = await sink.marked();
  let isLate = false;
  while (seen.count < victim.people && Date.now() < due + patienceMs) {
    await pause(lookMs);
    seen = await sink.marked();
    if (isLate || Date.now() < due + bars.last * 1_000) continue;
    isLate = true; // where it stands tells what it waits for
    const { rows } = await victim.setting.rows.query(standing, [own]);
    tell(`  late: ${seen.count} messages, ${JSON.stringify(rows)}`);
  }
  await end?.();
  const [row] = (await victim.setting.rows.query(reached, [own])).rows as [
    Record<'began' | 'prepared', number>,
  ];
  const after = (at: number): number => (seen.count === 0 ? patienceMs : at - due) / 1_000;
  return [
    atMost(`a broadcast ${name}: seconds to its first message`, after(seen.first), bars.first, 1),
    atMost('  seconds to its last message', after(seen.last), bars.last, 1),
    exactly('  messages', seen.count, victim.people),
    told('  seconds until it began', after(row.began)),
    told('  seconds until its audience stood', after(row.prepared)),
    told('  messages of others before its last', seen.others),
  ];
}
