import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { Random } from '../segments/random.ts';
import { expectBalanced, outcomesOf } from '../support/ledger.ts';
import { advanceClock, receiversOf, useSending } from '../support/sending.ts';
import { newReaders, newSendingOrg } from '../support/reader-rows.ts';
import { isLong, seed } from '../support/volume.ts';
import { add, newMailing, over, rowOf } from './mailing-setting.ts';

const sending = useSending();
afterEach(() => {
  sending().mail.thinkMs = () => 0;
  sending().mail.refuse = () => undefined;
});

const rounds = isLong ? 200 : 12;
const random = new Random(seed);
const below = (limit: number): number => random.int(0, limit - 1);

/** Keeps what was uncertain for a moment, and was put right by whoever had it in hand. */
async function watchUncertain(): Promise<() => Promise<number>> {
  const { admin } = sending().world;
  await admin.query(`
    create table once_uncertain (id bigint);
    create function note_uncertain() returns trigger language plpgsql security definer set search_path = public as
      $$ begin insert into once_uncertain values (new.id); return null; end $$;
    create trigger once_uncertain after update on deliveries for each row
      when (new.state = 'uncertain') execute function note_uncertain()`);
  return async () => (await admin.query('select 1 from once_uncertain')).rowCount ?? 0;
}

test('people added while lanes work, rest, sleep or are about to: nobody is lost, nobody gets it twice, nothing is uncertain', async () => {
  const { world, mail } = sending();
  const org = await newSendingOrg(world);
  const readers = [...(await newReaders(org, 160))];
  const mailing = await newMailing(world, org);
  const uncertain = await watchUncertain();
  mail.thinkMs = () => below(20);
  // One of them is put off, half way, so that lanes have something to rest for; until then they sleep.
  const [late, lateId] = readers.pop()!;
  mail.refuse = (to) => (to === late ? { code: 451, text: '4.3.0 come back later' } : undefined);
  const wanted: string[] = [];
  const got = () => receiversOf(mail, mailing.message.subject!);
  const addSome = async (count: number) => {
    const from = below(readers.length - count + 1);
    const chosen = readers.slice(from, from + count);
    wanted.push(...chosen.map(([email]) => email));
    await add(
      world,
      org,
      mailing,
      chosen.map(([, person]) => person),
    );
  };
  for (let round = 0; round < rounds; round++) {
    if (round === rounds / 2) await add(world, org, mailing, [lateId]);
    // Mostly a few, now and then so many that both lanes are woken; alone or two at a time.
    const count = () => (below(50) === 0 ? 150 : 1 + below(5));
    await Promise.all(below(4) === 0 ? [addSome(count()), addSome(count())] : [addSome(count())]);
    // At once; or when everybody has it, and the lane is about to leave or has left. Sooner than any sweep helps.
    const longest = [0, 10, 100, 600][below(4)]!;
    const awaited = longest > 0 ? wanted.length : 0;
    await expect.poll(() => got().length, { timeout: 20_000, interval: 5 }).toBeGreaterThanOrEqual(awaited);
    await pause(below(longest + 1));
  }
  await expect.poll(() => got().length).toBe(wanted.length);
  expect((await rowOf(world, mailing)).status).toBe('sending');
  mail.refuse = () => undefined;
  wanted.push(late);
  await advanceClock(org, 600);
  const { id } = await over(world, mailing, 60_000);
  expect(got().toSorted()).toEqual(wanted.toSorted());
  expect(await outcomesOf(world, id)).toEqual({ sent: wanted.length });
  expect(await uncertain()).toBe(0);
  await expectBalanced(world, id);
}, 600_000);
