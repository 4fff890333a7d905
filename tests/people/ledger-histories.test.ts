import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settleWindow, type Settled } from '../../src/domain/delivery/ledger/settle.ts';
import { addDelivery, newSending } from '../support/arrange-ledger.ts';
import { inService } from '../support/in-service.ts';
import { expectBalanced } from '../support/ledger.ts';
import type { TestOrg } from '../support/test-org.ts';
import { isLong, triesOfService } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const people = 5;
const broadcasts = 2;

/** What happens to people and to the ledger, in any order: the sender knows rows only, as the real one does. */
type Action =
  | { readonly does: 'merge'; readonly one: number; readonly other: number }
  | { readonly does: 'delete'; readonly one: number }
  | { readonly does: 'claim'; readonly row: number }
  | { readonly does: 'settle'; readonly row: number; readonly as: Settled['state'] };

const person = fc.nat({ max: people - 1 });
const row = fc.nat({ max: people * broadcasts - 1 });
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('merge' as const), one: person, other: person }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('delete' as const), one: person }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('claim' as const), row }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('settle' as const),
      row,
      as: fc.constantFrom<Settled['state']>('sent', 'pending', 'failed', 'uncertain', 'skipped'),
    }),
  },
);

/** What the rows begin with, in turn. */
const states = ['pending', 'sending', 'sent', 'sending'] as const;

const claim = randomUUID();

interface Setting {
  readonly org: TestOrg;
  readonly ids: readonly string[];
  readonly rows: readonly number[];
  /** Who each of the first people is by now; nobody, when deleted. */
  readonly now: (string | null)[];
  /** Whose each row was first. */
  readonly first: readonly number[];
  readonly batch: string;
}

async function newSetting(org: TestOrg): Promise<Setting> {
  const batch = randomUUID().slice(0, 8);
  const now: string[] = [];
  for (let one = 0; one < people; one++) {
    now.push(await org.person({ email: `p${one}-${batch}@example.com`, anonymous_id: `a${one}-${batch}` }));
  }
  const ids: string[] = [];
  const rows: number[] = [];
  const first: number[] = [];
  for (let at = 0; at < broadcasts; at++) {
    const id = await newSending(world(), org);
    ids.push(id);
    for (const [one, who] of now.entries()) {
      const state = states[(at + one) % states.length];
      const address = `p${one}-${batch}@example.com`;
      const fields = { state, claim: state === 'sending' ? claim : null, address, reply: 'busy' };
      rows.push(await addDelivery(world(), org, id, who, fields));
      first.push(one);
    }
  }
  return { org, ids, rows, now, first, batch };
}

const act = (setting: Setting, one: Action): Promise<void> =>
  one.does === 'merge'
    ? merge(setting, one.one, one.other)
    : one.does === 'delete'
      ? remove(setting, one.one)
      : send(setting, one);

async function merge({ org, now, batch }: Setting, one: number, other: number): Promise<void> {
  const [survivor, loser] = [now[one]!, now[other]!];
  if (survivor === null || loser === null || survivor === loser) return;
  const ids = { email: `p${one}-${batch}@example.com`, anonymous_id: `a${other}-${batch}` };
  expect(await org.person(ids)).toBe(survivor);
  for (const [at, id] of now.entries()) if (id === loser) now[at] = survivor;
  const { rowCount } = await world().admin.query(
    `select 1 from deliveries waits join deliveries has using (org_id, broadcast_id, person_id)
     where person_id = $1 and waits.state = 'pending' and has.state in ('sent', 'uncertain', 'sending')`,
    [survivor],
  );
  expect(rowCount).toBe(0); // nobody is to get what they have
}

async function remove({ org, now }: Setting, one: number): Promise<void> {
  const id = now[one]!;
  if (id === null) return;
  expect((await org.rest(`DELETE /v1/people/${id}`)).status).toBe(200);
  for (const [at, other] of now.entries()) if (other === id) now[at] = null;
}

async function send({ org, rows }: Setting, one: Extract<Action, { row: number }>): Promise<void> {
  const id = rows[one.row]!;
  if (one.does === 'settle') {
    const settled: Settled = { id, state: one.as, ...(one.as === 'skipped' && { reason: 'opted_out' }) };
    await inService(world(), org, (work) => settleWindow(work, claim, [settled]));
  } else {
    await world().admin.query(
      "update deliveries set state = 'sending', claim = $2 where id = $1 and state = 'pending'",
      [id, claim],
    );
  }
}

/** What is wrong by now; nothing, when all is well. */
async function faultsOf({ org, ids, rows, now, first }: Setting): Promise<unknown[]> {
  const faults: unknown[] = [];
  for (const id of ids) {
    await expectBalanced(world(), id);
    const { body } = await org.rest(`GET /v1/broadcasts/${id}/stats`);
    if (body.totals.recipients !== people || body.balanced !== true) faults.push(body);
  }
  const { rows: found } = await world().admin.query<Found>(
    `select id::float8, broadcast_id, person_id, state, twin::float8,
       address is null and reply is null and history = '[]' as clean
     from deliveries where id = any($1)`,
    [rows],
  );
  if (found.length !== rows.length) faults.push('a row is gone');
  const standing = found.filter(({ person_id, twin }) => person_id !== null && twin === null);
  const places = standing.map(({ person_id, broadcast_id }) => `${person_id} ${broadcast_id}`);
  if (new Set(places).size < places.length) faults.push('somebody has two rows of their own');
  const isWrong = ({ id, person_id, state, twin, clean }: Found): boolean => {
    const whose = now[first[rows.indexOf(id)]!]!;
    if (person_id === null && !clean) return true;
    if (twin !== null && state === 'pending') return true;
    // Who has it, or may have it, is found by it for as long as they are there.
    const mustFind = ['sent', 'uncertain', 'sending'].includes(state);
    return person_id !== whose && (mustFind || person_id !== null);
  };
  return [...faults, ...found.filter(isWrong)];
}

interface Found {
  readonly id: number;
  readonly broadcast_id: string;
  readonly person_id: string | null;
  readonly state: string;
  readonly twin: number | null;
  /** Holds nothing that tells of a person. */
  readonly clean: boolean;
}

test('after any sequence of merges, deletions and sends the totals add up, and nobody waits for two messages of one broadcast', async () => {
  const org = await world().newOrg();
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 20, size: 'max' }), async (actions) => {
      const setting = await newSetting(org);
      for (const one of actions) {
        await act(setting, one);
        expect(await faultsOf(setting)).toEqual([]);
      }
    }),
    triesOfService(isLong ? 100 : 40),
  );
}, 300_000);

test('merges and deletions at once, of people who share broadcasts, end with everything accounted for', async () => {
  const org = await world().newOrg();
  for (let round = 0; round < (isLong ? 4 : 1); round++) {
    const settings: Setting[] = [];
    while (settings.length < 4) settings.push(await newSetting(org));
    const shared = await newSending(world(), org);
    for (const { now } of settings) for (const who of now) await addDelivery(world(), org, shared, who);
    await Promise.all(
      settings.flatMap(({ now, batch }) => [
        org.rest('POST /v1/people/identify', {
          email: `p0-${batch}@example.com`,
          anonymous_id: `a1-${batch}`,
        }),
        org.rest('POST /v1/people/identify', {
          email: `p2-${batch}@example.com`,
          anonymous_id: `a3-${batch}`,
        }),
        org.rest(`DELETE /v1/people/${now[4]}`),
      ]),
    ).then((answers) => expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200)));
    await expectBalanced(world(), shared);
    const { rows } = await world().admin.query(
      `select state, reason, count(*)::int as count from deliveries where broadcast_id = $1 group by 1, 2 order by 2`,
      [shared],
    );
    expect(rows).toEqual([
      { state: 'skipped', reason: 'deleted', count: 4 },
      { state: 'skipped', reason: 'duplicate_address', count: 8 },
      { state: 'pending', reason: null, count: 8 },
    ]);
  }
}, 300_000);
