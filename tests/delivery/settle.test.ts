import { expect, test } from 'vitest';
import { settleWindow, type Settled } from '../../src/domain/delivery/ledger/settle.ts';
import { addDelivery, newSending } from '../support/arrange-ledger.ts';
import { inService } from '../support/in-service.ts';
import { expectBalanced, ledgerOf } from '../support/ledger.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const [mine, theirs] = ['0190c0de-0000-7000-8000-00000000000a', '0190c0de-0000-7000-8000-00000000000b'];
const news = ['pending', 'sent', 'skipped', 'failed', 'uncertain'] as const;
type News = Settled['state'];

/** What a row of this claim becomes by each piece of news; whatever is not named stays as it is. */
const becomes: Record<string, Partial<Record<News, News>>> = {
  sending: { pending: 'pending', sent: 'sent', skipped: 'skipped', failed: 'failed', uncertain: 'uncertain' },
  // Given up: whoever knows better corrects it, but a broadcast may have ended on it, so it never waits again.
  uncertain: { sent: 'sent', skipped: 'skipped', failed: 'failed', uncertain: 'uncertain' },
  pending: {},
  sent: {},
  skipped: {},
  failed: {},
};

const reasonOf = (state: string): string | null => (state === 'pending' || state === 'sent' ? null : 'told');

async function settleAll(claim: string) {
  const org = await world().newOrg();
  const broadcast = await newSending(world(), org);
  const cases: { id: number; was: string; told: News }[] = [];
  for (const was of Object.keys(becomes)) {
    for (const told of news) {
      const person = await org.person({ email: `${was}-${told}@example.com` });
      const id = await addDelivery(world(), org, broadcast, person, {
        state: was,
        reason: reasonOf(was),
        lane: 0,
        claim,
      });
      cases.push({ id, was, told });
    }
  }
  const settled = cases.map(({ id, told }): Settled => {
    const reason = reasonOf(told);
    return { id, state: told, ...(reason !== null && { reason }) };
  });
  const took = await inService(world(), org, (work) => settleWindow(work, mine, settled));
  const rows = new Map((await ledgerOf(world(), broadcast)).map((row) => [row.id, row]));
  await expectBalanced(world(), broadcast);
  return { took: new Set(took!.map(({ id }) => Number(id))), cases, rows };
}

test('a window settles what it has in hand, corrects what was given up, and makes nothing of that pending again', async () => {
  const { took, cases, rows } = await settleAll(mine);
  const line = (was: string, told: string, state: string, taken: boolean) =>
    `${was}, told ${told}: ${state}, ${taken ? 'taken in' : 'left'}`;
  expect(cases.map(({ id, was, told }) => line(was, told, rows.get(id)!.state, took.has(id)))).toEqual(
    cases.map(({ was, told }) => line(was, told, becomes[was]![told] ?? was, told in becomes[was]!)),
  );
  for (const { id, was, told } of cases.filter((one) => one.told in becomes[one.was]!)) {
    expect({ was, told, reason: rows.get(id)!.reason }).toEqual({ was, told, reason: reasonOf(told) });
  }
});

test('a window settles no row that another has in hand or gave up', async () => {
  const { took, cases, rows } = await settleAll(theirs);
  expect(took).toEqual(new Set());
  expect(cases.map(({ id }) => rows.get(id)!.state)).toEqual(cases.map(({ was }) => was));
});
