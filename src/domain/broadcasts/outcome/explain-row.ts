import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Deliveries } from '../../../database/tables.generated.ts';
import type { StoredBroadcast } from '../draft/broadcast-rows.ts';
import type { Draft } from '../draft/draft-input.ts';
import { maskReply } from './mask-reply.ts';
import { outcomeOf } from './outcome.ts';
import { wordsFor } from './outcome-words.ts';

export type DeliveryRow = Selectable<Deliveries>;

export interface Step {
  readonly at: Date | null;
  readonly what: string;
  readonly detail: string;
}

const History = z.array(
  z.object({
    at: z.coerce.date(),
    what: z.string(),
    code: z.string().nullish(),
    reply: z.string().nullish(),
    was: z.string().nullish(),
  }),
);
type Entry = z.infer<typeof History>[number];

/** The history of one recipient in order, from its ledger row. `known` steps are merged in. */
export function explainRow(
  broadcast: StoredBroadcast,
  row: DeliveryRow,
  known: readonly Step[] = [],
): Step[] {
  const channel = broadcast.channel as Draft['channel'];
  const { started_at } = broadcast;
  const history = (History.safeParse(row.history).data ?? []).map((entry) => ofHistory(entry, row, channel));
  const isAfter = ({ at }: Step): boolean => row.sent_at !== null && at !== null && at >= row.sent_at;
  const isBefore = ({ at }: Step): boolean => at !== null && started_at !== null && at < started_at;
  const during = [
    ...known.filter((step) => !isBefore(step)),
    ...history.filter((step) => !isAfter(step)),
    dueStep(broadcast, row),
  ];
  const after = [...history.filter(isAfter), ...responses(row, history)];
  return [
    ...known.filter(isBefore),
    { at: started_at, what: 'in_audience', detail: 'They were in the audience when it was resolved.' },
    ...during.toSorted(byTime),
    ended(row, channel),
    ...after.toSorted(byTime),
  ];
}

/** Steps without a moment come last. */
const byTime = (one: Step, other: Step): number =>
  (one.at?.getTime() ?? Infinity) - (other.at?.getTime() ?? Infinity) || 0;

function dueStep(
  { paced_over_hours, send_at }: StoredBroadcast,
  { due_at: at, attempts, state, former_state }: DeliveryRow,
): Step {
  const moment = at.toISOString();
  const hours = paced_over_hours ?? 0;
  const begin = send_at ?? at;
  const isLate = at.getTime() > begin.getTime() + hours * 3_600_000;
  if (former_state !== null && attempts < 2)
    return { at, what: 'due', detail: `Their second turn is set for ${moment}.` };
  if (attempts > 0 && state === 'pending') {
    return { at, what: 'due', detail: `It is tried again from ${moment} on.` };
  }
  if (attempts > 1 || isLate) return { at, what: 'due', detail: `It was put off to ${moment}.` };
  const why =
    hours === 0
      ? 'everybody gets this broadcast at once'
      : `this broadcast goes out over ${hours} hours from ${begin.toISOString()} on, and everybody has a place in them that was drawn once and stays`;
  return { at, what: 'due', detail: `Their turn is set for ${moment}: ${why}.` };
}

function ended(row: DeliveryRow, channel: Draft['channel']): Step {
  const { state, reason, attempts, sent_at } = row;
  const why = wordsFor(outcomeOf(state), reason, channel);
  const answer = row.reply === null ? '' : ` The answer was: “${maskReply(row.reply, row.address)}”.`;
  const tries = attempts > 1 ? ` It took ${attempts} tries.` : '';
  switch (state) {
    case 'sent':
      return { at: sent_at, what: 'sent', detail: `It was handed over and taken.${tries}${answer}` };
    case 'skipped':
      return { at: null, what: 'skipped', detail: `They were left out: ${why}.` };
    case 'failed':
      return { at: null, what: 'failed', detail: `It could not be handed over: ${why}.${tries}${answer}` };
    case 'uncertain':
      return {
        at: null,
        what: 'uncertain',
        detail: `Nobody can know whether they have it: ${why}. It is not sent again by itself, so that nobody gets it twice; somebody may have it sent again.${answer}`,
      };
    case 'sending':
      return { at: null, what: 'in_hand', detail: 'It is being handed over at this moment.' };
    default:
      return {
        at: null,
        what: 'waiting',
        detail: attempts > 0 ? 'It waits to be tried again.' : 'It waits for their turn.',
      };
  }
}

const ofHistory = (
  { at, what, code, reply, was }: Entry,
  { address }: DeliveryRow,
  channel: Draft['channel'],
): Step => {
  if (what === 'resent') {
    const first = wordsFor(was === 'failed' ? 'failed' : 'uncertain', code ?? null, channel);
    const doubt = was === 'failed' ? 'The first try failed' : 'Nobody could know whether they had it';
    return { at, what, detail: `${doubt}: ${first}. Somebody had it sent to them again.` };
  }
  if (what === 'not_resent')
    return { at, what, detail: `It was not sent again: ${whyNotAgain(code ?? null, channel)}.` };
  const detail = historyWords[what] ?? `On record: ${what}.`;
  const coded = code ? ` Code ${maskReply(code, address)}.` : '';
  const answer = reply ? ` The answer was: “${maskReply(reply, address)}”.` : '';
  return { at, what, detail: `${detail}${coded}${answer}` };
};

/** What kept a second try from them: they were left out, or it failed. */
const whyNotAgain = (reason: string | null, channel: Draft['channel']): string =>
  reason === 'refused' || reason === 'gave_up'
    ? wordsFor('failed', reason, channel)
    : wordsFor('skipped', reason, channel);

const historyWords: Readonly<Record<string, string>> = {
  deferred: 'The other side put it off.',
  refused: 'The other side refused it.',
  bounced: 'It came back.',
  complained: 'They reported it as spam.',
  opted_out: 'The provider said that they had opted out.',
};

const responseWords = {
  delivered_at: ['delivered', 'The other side said that it had arrived.'],
  opened_at: ['opened', 'They opened it.'],
  clicked_at: ['clicked', 'They followed a link in it.'],
  replied_at: ['replied', 'They answered it.'],
  bounced_at: ['bounced', 'It came back.'],
  complained_at: ['complained', 'They reported it as spam.'],
  unsubscribed_at: ['unsubscribed', 'They unsubscribed through it.'],
} as const;

/** The responses to a message, without a bounce or complaint that the history already gives in more detail. */
function responses(row: DeliveryRow, history: readonly Step[]): Step[] {
  const covered = new Set(history.map(({ what }) => (what === 'refused' ? 'bounced' : what)));
  return Object.entries(responseWords).flatMap(([column, [what, detail]]) => {
    const at = row[column as keyof typeof responseWords];
    return at === null || covered.has(what) ? [] : [{ at, what, detail }];
  });
}
