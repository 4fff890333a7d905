import { z } from 'zod';
import { defineOperation, type Work } from '../../../database/work.ts';
import { BroadcastId, PersonId } from '../../../kernel/ids.ts';
import { MomentOut, outgoing } from '../../../kernel/moment.ts';
import { requirePerson } from '../../identifiers/require-person.ts';
import { requireBroadcast, type StoredBroadcast } from '../draft/broadcast-rows.ts';
import { joinedAfter, explainStanding } from './explain-absence.ts';
import { explainRow, type DeliveryRow, type Step } from './explain-row.ts';
import { outcomeOf, outcomes } from './outcome.ts';
import { isForgotten } from './forgotten.ts';
import { sinceWhen } from './since-when.ts';
import { summaryOf } from './outcome-summary.ts';

const answers = [...outcomes, 'not_yet', 'not_in_audience', 'not_kept'] as const;

interface Explained {
  readonly outcome: (typeof answers)[number];
  readonly steps: readonly Step[];
  readonly summary: string;
}

export const explainRecipient = defineOperation({
  name: 'explain_recipient',
  title: 'Explain why somebody got a broadcast or not',
  summary:
    'Why a person did or did not get a broadcast, step by step, in sentences to read out to them; for one that was not ' +
    'sent yet, whether they would. Addresses in the words of mail servers are masked.',
  permission: 'broadcasts.read',
  effect: 'read',
  faces: { rest: ['GET /v1/broadcasts/:broadcast_id/recipients/:person_id'], tool: true },
  input: z.strictObject({ broadcast_id: BroadcastId, person_id: PersonId }),
  output: z.object({
    broadcast_id: BroadcastId,
    person_id: PersonId,
    outcome: z
      .enum(answers)
      .describe(
        'not_yet: it has not been decided; not_in_audience: it was, and without them; not_kept: who got it is past what is kept.',
      ),
    summary: z.string(),
    steps: z.array(z.object({ at: MomentOut.nullable(), what: z.string(), detail: z.string() })),
  }),
  handle: async (work, { broadcast_id, person_id }) => {
    await requirePerson(work, person_id);
    const broadcast = await requireBroadcast(work, broadcast_id);
    const rows = await readRows(work, broadcast_id, person_id);
    const { outcome, steps, summary } =
      rows.length > 0
        ? await explainRows(work, broadcast, rows)
        : await explainAbsence(work, broadcast, person_id);
    return {
      broadcast_id,
      person_id,
      outcome,
      summary,
      steps: steps.map(({ at, ...step }) => ({ at: outgoing(at), ...step })),
    };
  },
});

/** The person's own row first, then the twins that merges put behind it. */
const readRows = ({ db, org }: Work, broadcast: BroadcastId, person: PersonId): Promise<DeliveryRow[]> =>
  db
    .selectFrom('deliveries')
    .selectAll()
    .where('org_id', '=', org)
    .where('person_id', '=', person)
    .where('broadcast_id', '=', broadcast)
    .orderBy('twin', (order) => order.asc().nullsFirst())
    .execute();

const merged: Step = {
  at: null,
  what: 'merged',
  detail: 'Another recipient was merged into this person. What became of that one:',
};

async function explainRows(
  work: Work,
  broadcast: StoredBroadcast,
  [row, ...twins]: readonly DeliveryRow[],
): Promise<Explained> {
  const own = row!;
  const steps = [
    ...explainRow(broadcast, own, await sinceWhen(work, broadcast, own)),
    ...twins.flatMap((twin) => [merged, ...explainRow(broadcast, twin)]),
  ];
  return { outcome: outcomeOf(own.state), steps, summary: summaryOf(broadcast, own) };
}

function notKept({ started_at, recipients }: StoredBroadcast): Explained {
  const detail =
    `It began on ${started_at?.toISOString().slice(0, 10)} and had ${recipients} recipients. Who they were and what ` +
    'became of each is past what is kept, so nobody can tell whether this person was one of them.';
  return { outcome: 'not_kept', steps: [{ at: started_at, what: 'not_kept', detail }], summary: detail };
}

async function explainAbsence(work: Work, broadcast: StoredBroadcast, person: PersonId): Promise<Explained> {
  const { status, send_at, started_at, prepared_at, prepared_through, error } = broadcast;
  const now = await explainStanding(work, broadcast, person);
  const would = { reachable: 'would get it', excluded: 'would be left out', outside: 'would not be in it' };
  const ifNow = `If it were sent now they ${would[now.standing]}.`;
  const notYet = (detail: string): Explained => ({
    outcome: 'not_yet',
    steps: [{ at: null, what: status, detail }, ...now.steps],
    summary: `${detail} ${ifNow}`,
  });
  if (status === 'draft') return notYet('It is a draft and goes to nobody until it is scheduled.');
  if (broadcast.held_at !== null)
    return notYet('It is held, because its audience changed, and goes to nobody until somebody releases it.');
  if (status === 'scheduled')
    return notYet(`It is scheduled for ${send_at?.toISOString()}; who is in the audience is decided then.`);
  if (started_at === null) return notYet(`It did not begin. ${error ?? ''}`.trim());
  const wasReached =
    prepared_at !== null || (prepared_through !== null && person.toLowerCase() <= prepared_through);
  if (!wasReached && status === 'sending')
    return notYet('It began just now, and who is in the audience is still being worked out.');
  if (await isForgotten(work, broadcast)) return notKept(broadcast);
  const detail = wasReached
    ? 'They were not in the audience when it was resolved.'
    : 'It ended before everybody had been lined up, and they had not been.';
  const at = prepared_at ?? started_at;
  const later = await joinedAfter(work, broadcast, person, at);
  const isInside = now.standing !== 'outside';
  const since: Step = {
    at: null,
    what: 'inside_now',
    detail: 'They are in the audience now, so they came into it after that.',
  };
  const why = later.length > 0 ? later : isInside ? [since] : now.steps;
  return {
    outcome: 'not_in_audience',
    steps: [{ at, what: 'not_in_audience', detail }, ...(wasReached ? why : [])],
    summary:
      `They did not get it. ${detail} ${wasReached ? why.map((step) => step.detail).join(' ') : ''}`.trim(),
  };
}
