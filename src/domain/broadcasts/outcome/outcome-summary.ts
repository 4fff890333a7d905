import type { StoredBroadcast } from '../draft/broadcast-rows.ts';
import type { Draft } from '../draft/draft-input.ts';
import type { DeliveryRow } from './explain-row.ts';
import { outcomeOf } from './outcome.ts';
import { wordsFor } from './outcome-words.ts';

/** Sums up a recipient's outcome in a sentence or two. */
export function summaryOf(
  { channel, status }: Pick<StoredBroadcast, 'channel' | 'status'>,
  row: DeliveryRow,
): string {
  const why = wordsFor(outcomeOf(row.state), row.reason, channel as Draft['channel']);
  switch (row.state) {
    case 'sent':
      return `It was handed over${moment(row.sent_at)}. ${afterwards(row)}`;
    case 'skipped':
    case 'failed':
      return `They did not get it: ${why}.`;
    case 'uncertain':
      return `They may have it or not: ${why}. ${afterwards(row)}`;
    case 'sending':
      return 'It is being handed over at this moment.';
    default:
      if (row.former_state === 'uncertain')
        return `They may have it or not, and it is sent to them again from ${row.due_at.toISOString()} on.`;
      if (status !== 'sending') return 'They do not have it and will not get it: the broadcast was stopped.';
      return row.attempts > 0
        ? `They do not have it yet: the other side put it off, and it is tried again from ${row.due_at.toISOString()} on.`
        : `They do not have it yet: their turn is at ${row.due_at.toISOString()}.`;
  }
}

/** The strongest known response: a click tells more than a delivery. */
function afterwards(row: DeliveryRow): string {
  if (row.complained_at !== null) return `They reported it as spam${moment(row.complained_at)}.`;
  if (row.unsubscribed_at !== null) return `They unsubscribed through it${moment(row.unsubscribed_at)}.`;
  if (row.clicked_at !== null) return `They followed a link in it${moment(row.clicked_at)}.`;
  if (row.replied_at !== null) return `They answered it${moment(row.replied_at)}.`;
  if (row.opened_at !== null) return `They opened it${moment(row.opened_at)}.`;
  if (row.bounced_at !== null) return `It came back${moment(row.bounced_at)}.`;
  if (row.delivered_at !== null) return `The other side said that it had arrived${moment(row.delivered_at)}.`;
  return 'Whether it arrived, was read or was lost on the way, nobody has reported.';
}

const moment = (at: Date | null): string => (at === null ? '' : ` at ${at.toISOString()}`);
