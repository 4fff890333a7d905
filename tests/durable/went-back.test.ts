import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pino from 'pino';
import { expect, test } from 'vitest';
import { holdSending } from '../../src/database/held-sending.ts';
import { relayTransaction } from '../../src/database/org-transaction.ts';
import { restateEngine } from '../../src/durable/engine.ts';
import { engineFence } from '../../src/durable/fence.ts';
import { noticeGoingBack } from '../../src/durable/history-object.ts';
import { startOperator } from '../../src/main/operator.ts';
import { newSending } from '../support/arrange-ledger.ts';
import { useWorld } from '../support/world.ts';
import { shipped } from '../../benches/support/shipped.ts';

const world = useWorld({ engine: true });

const notice = () =>
  noticeGoingBack(world().database, restateEngine(world().config.RESTATE_INGRESS_URL), new Date());

async function recover(...words: string[]): Promise<string> {
  const env = {
    ...process.env,
    DATABASE_URL: world().databaseUrl,
    RESTATE_ADMIN_URL: world().restate!.adminUrl,
    RESTATE_INGRESS_URL: world().restate!.ingressUrl,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [shipped, 'recover', ...words], {
    env,
  });
  return stdout;
}

test('a database that went back while nothing is sent holds sending, until an operator releases it', async () => {
  const { admin, config } = world();
  const operator = await startOperator({ ...config, OPERATOR_PORT: 0 }, 'relay', pino({ level: 'silent' }));
  operator.serve();
  const ready = async () => {
    const response = await fetch(`${operator.url}/ready`);
    const { checks } = (await response.json()) as { checks: { sending: { detail: string } } };
    return { status: response.status, sending: checks.sending.detail };
  };
  for (let count = 0; count < 3; count++) expect(await notice()).toBe(false);
  expect(await ready()).toEqual({ status: 200, sending: 'not held' });
  expect(await recover()).toMatch(/^Sending is not held\.\n0 recipients of 0 broadcasts/);
  await admin.query('update installation set beats = 0');
  expect(await notice()).toBe(true);
  const held = await ready();
  expect(held.status).toBe(503);
  expect(held.sending).toMatch(/went back.*Run rostrum recover/);
  expect(await notice()).toBe(false); // once is enough
  expect(await recover()).toMatch(/^Sending is held since .*went back.*\n0 recipients/);
  expect(await ready()).toMatchObject({ status: 503 });
  expect(await recover('--release')).toContain('Released.');
  expect(await ready()).toEqual({ status: 200, sending: 'not held' });
  await operator.close();
});

test('a release is for good: the sweep does not hold again because of what a lane had found before it', async () => {
  const { admin, database } = world();
  for (let count = 0; count < 3; count++) await notice();
  await admin.query('update installation set beats = 0');
  await relayTransaction(database, (db) => holdSending(db, new Date(), 'a lane found it'));
  await recover('--release');
  expect(await notice()).toBe(false);
  expect((await admin.query('select held_at from installation')).rows).toEqual([{ held_at: null }]);
});

test('the fence in the engine notes windows, refuses those of a database that went back, and reads them out', async () => {
  const org = await world().newOrg();
  const fence = engineFence(restateEngine(world().config.RESTATE_INGRESS_URL));
  const fenced = `${org.id}/${crypto.randomUUID()}`;
  const [first, second, other] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const recipients = [[crypto.randomUUID(), null]] as const;
  const window = (number: number, claim: string) => ({
    lane: 0,
    number,
    claim,
    recipients,
    at: 1,
    known: [],
  });
  expect(await fence.note(fenced, window(1, first))).toMatchObject({ noted: true });
  expect(await fence.note(fenced, { ...window(2, second), known: [first] })).toMatchObject({ noted: true });
  // Its answer may have got lost: the same window again.
  expect(await fence.note(fenced, { ...window(2, second), known: [second, first] })).toMatchObject({
    noted: true,
  });
  const refused = await fence.note(fenced, { ...window(2, other), known: [other, first] });
  expect(refused).toEqual({ noted: false, last: [{ lane: 0, number: 2, claim: second, at: 1 }] });
  const read = await fence.read(fenced, { lane: 0, upTo: 2, most: 10 });
  expect(read).toEqual([
    { lane: 0, number: 2, claim: second, recipients },
    { lane: 0, number: 1, claim: first, recipients },
  ]);
  expect(await recover()).toContain('2 recipients of 1 broadcasts were handed over and are not known here.');
});

test('windows that tidying deleted are not told as forgotten', async () => {
  const { admin, config } = world();
  const org = await world().newOrg();
  const id = await newSending(world(), org);
  const fence = engineFence(restateEngine(config.RESTATE_INGRESS_URL));
  const claims = Array.from({ length: 4 }, () => crypto.randomUUID());
  const recipients = [[crypto.randomUUID(), null]] as const;
  for (const [index, claim] of claims.entries()) {
    const window = { lane: 0, number: index + 1, claim, recipients, at: 1, known: claims };
    expect(await fence.note(`${org.id}/${id}`, window)).toMatchObject({ noted: true });
  }
  const before = Number(/^(\d+) recipients/m.exec(await recover())![1]);
  // The first two were deleted, and the last is lost.
  await admin.query(
    'insert into delivery_windows (org_id, broadcast_id, lane, number, claim) values ($1, $2, 0, 3, $3)',
    [org.id, id, claims[2]],
  );
  expect(await recover()).toContain(`${before - 3} recipients of `);
});
