import { afterAll, beforeAll, expect, test } from 'vitest';
import { performer, type Perform } from '../../../src/catalogue/perform.ts';
import type { AnyOperation } from '../../../src/kernel/operation.ts';
import { keyring } from '../../../src/main/keys.ts';
import { mailSettings } from '../../../src/main/mail-settings.ts';
import { callerOf } from '../../queries/caller-of.ts';
import { openCounted, type Counted } from '../../queries/count-queries.ts';
import { arrangeInputs } from '../../queries/inputs.ts';
import { useWorld } from '../../support/world.ts';
import { layGround, type Ground } from './ground.ts';
import { dearest } from './inputs.ts';
import { measureCall, type Taken } from './measure-call.ts';

/** What one call may take of a process that serves everybody. */
const bounds: Taken = { blockedMs: 150, grownMb: 64, answerMb: 4 };
/** What was cut into pieces stays so: each was at 5 to 20 on a busy machine. */
const inPieces: Readonly<Record<string, Partial<Taken>>> = {
  append_import_rows: { blockedMs: 40 },
  preview_import: { blockedMs: 40 },
  create_workflow: { blockedMs: 40 },
  update_workflow: { blockedMs: 40 },
  simulate_workflow: { blockedMs: 40 },
};
const tries = 3;

/** Gives each operation its dearest input, and holds it to the bounds. */
export function holdToBounds(operations: readonly AnyOperation[]): void {
  const world = useWorld();
  let ground: Ground;
  let usualOf: Awaited<ReturnType<typeof arrangeInputs>>;
  let taken: Counted; // what a call writes is taken back: the next try finds everything as it was
  let perform: Perform;

  beforeAll(async () => {
    ground = await layGround(world());
    usualOf = await arrangeInputs(world(), ground.fixed);
    taken = openCounted(world().databaseUrl);
    perform = performer(taken.database, keyring(world().config), mailSettings(world().config));
  });
  afterAll(() => taken?.close());

  test.each(operations)(
    '$name at its dearest keeps the thread for a moment, little memory and a short answer',
    async (operation) => {
      const input = dearest[operation.name as keyof typeof dearest](ground, usualOf(operation));
      const caller = callerOf(ground.fixed.org, world().clock.now());
      const call = async (): Promise<unknown> => {
        let answer: unknown;
        await taken.count(async () => {
          answer = (await perform(operation, caller, input)).output;
        });
        return answer;
      };
      const allowed: Taken = { ...bounds, ...inPieces[operation.name] };
      let least = await measureCall(call);
      for (let again = 1; again < tries && beyond(least, allowed).length > 0; again++)
        least = lesser(least, await measureCall(call));
      expect(beyond(least, allowed)).toEqual([]);
    },
  );
}

const beyond = (one: Taken, allowed: Taken): string[] =>
  (Object.keys(allowed) as (keyof Taken)[])
    .filter((of) => one[of] > allowed[of])
    .map((of) => `${of}: ${one[of].toFixed(1)} of ${allowed[of]}`);

/** A slow machine can only add to what a call takes. */
const lesser = (a: Taken, b: Taken): Taken => ({
  blockedMs: Math.min(a.blockedMs, b.blockedMs),
  grownMb: Math.min(a.grownMb, b.grownMb),
  answerMb: Math.min(a.answerMb, b.answerMb),
});
