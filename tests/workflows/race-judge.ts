import { departure } from './model.ts';
import type { Sighting } from './race-witness.ts';

export const hour = 3_600_000;

export const waits = 25; // one after the other, so that something is being released most of the time
const stepMs = 250;
const tailMs = 600_000; // the last comes when all is quiet
const oneReminderIn = 4;
export const offsetOf = (index: number): number =>
  -hour + index * stepMs + (index === waits - 1 ? tailMs : 0);

/** A run, as it is at the end. */
export interface Path {
  readonly id: string;
  readonly email: string;
  readonly outcome: string | null;
  readonly began: number;
  readonly path: { readonly node: string; readonly at: string; readonly did: string }[];
}

/** Whether a reminder follows a wait. */
export const remindsAfter = (index: number): boolean => index % oneReminderIn === 0;

/** What each reschedule should have answered: who had come to an anchored wait by then and not left it. */
export function wrongCounts(sightings: readonly Sighting[], answers: ReadonlyMap<number, number>): string[] {
  const moves = sightings.filter(({ kind }) => kind === 'moved');
  const before = (seq: number, kind: Sighting['kind']) =>
    sightings.filter((one) => one.kind === kind && one.seq < seq).length;
  const wrong = moves
    .map(({ seq, start }) => ({ said: answers.get(start), were: before(seq, 'came') - before(seq, 'left') }))
    .filter(({ said, were }) => said !== were)
    .map(({ said, were }) => `a reschedule answered ${said}, ${were} were waiting`);
  return moves.length === answers.size ? wrong : [...wrong, `${moves.length} moves, ${answers.size} answers`];
}

/** Every wait once and in order, left at the time that held, not before it; reminders where they belong. */
export function wrongSteps({ id, path, outcome, began }: Path, sightings: readonly Sighting[]): string[] {
  const wrong: string[] = [];
  const say = (what: string) => wrong.push(`run ${id}: ${what}`);
  if (outcome !== 'completed') say(`ended as ${outcome}`);
  const wanted = Array.from({ length: waits }, (_, index) => {
    const reminds =
      remindsAfter(index) && path.find(({ node }) => node === `wait_${index}`)?.did === 'waited';
    return [`wait_${index}`, ...(reminds ? [`remind_${index}`] : [])];
  }).flat();
  const went = path.map(({ node }) => node);
  if (went.join() !== [...wanted, 'done'].join()) say(`went ${went.join()}`);
  const walked = sightings.filter(({ kind, run_id }) => kind === 'walked' && run_id === id);
  let at = began;
  for (const [index, step] of path.entries()) {
    const seen = walked.find(({ first, last }) => index >= first && index < last);
    const wait = /^wait_(\d+)$/.exec(step.node);
    if (seen === undefined) say(`nobody saw step ${index}`);
    else if (wait !== null) {
      const due = seen.start + offsetOf(Number(wait[1]));
      const left = departure(due, at, seen.broughtForwardAt);
      const tells = `${step.node} ${step.did} at ${step.at}, due ${new Date(due).toISOString()}`;
      if (step.did !== left.did) say(`${tells}, came ${new Date(at).toISOString()}`);
      if (step.did === 'waited' && Date.parse(step.at) !== due) say(`${tells}: another time`);
      if (due > seen.seen) say(`${tells}: too early, at ${new Date(seen.seen).toISOString()}`);
      at = left.at;
    } else if (Date.parse(step.at) !== at)
      say(`${step.node} at ${step.at}, not ${new Date(at).toISOString()}`);
  }
  return wrong;
}
