import { beforeEach, expect, test } from 'vitest';
import { newToken } from '../../src/domain/accounts/token.ts';
import { measured } from '../support/measured.ts';
import { isLong } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { goodPassword, moveOn, newLink, newUser, signedIn, Visitor } from './visitor.ts';

const world = useWorld();
// Hours later, at the beginning of a minute: what was tried in the test before is forgotten.
beforeEach(() => {
  moveOn(world(), 7_200_000 - (world().clock.now().getTime() % 60_000));
});

const plain = (text: string, email: string): string => text.replaceAll(email, 'ADDRESS');

test('enumeration: signing in answers alike whether the address has an account', async () => {
  const { email } = await newUser(world());
  const unknown = 'nobody.here@example.com';
  const answers = [];
  for (const address of [email, unknown]) {
    const { status, text, cookies } = await new Visitor(world().url).post('/sign-in', {
      email: address,
      password: 'not this one',
    });
    answers.push({ status, text: plain(text, address), cookies });
  }
  expect(answers[0]).toEqual(answers[1]);
});

test('enumeration: asking for a new password answers alike, and no account is made', async () => {
  const { email } = await newUser(world());
  const unknown = 'nobody.there@example.com';
  const answers = [];
  for (const address of [email, unknown]) {
    const { status, text, cookies } = await new Visitor(world().url).post('/forgotten', { email: address });
    answers.push({ status, text: plain(text, address), cookies });
  }
  expect(answers[0]).toEqual(answers[1]);
  const { rows } = await world().admin.query('select 1 from auth.users where email = $1', [unknown]);
  expect(rows).toEqual([]);
});

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

/** Turn by turn, so that whatever else the machine does meets both. */
async function timesOf(
  act: (email: string) => Promise<unknown>,
  known: readonly string[],
): Promise<[number, number]> {
  const [there, not]: [number[], number[]] = [[], []];
  for (const [turn, email] of known.entries())
    for (const [address, times] of [
      [email, there],
      [`nobody${turn}@example.com`, not],
    ] as const) {
      const began = performance.now();
      await act(address);
      times.push(performance.now() - began);
    }
  return [median(there), median(not)];
}

test('enumeration: signing in takes as long for an address without an account', measured, async () => {
  const known: string[] = [];
  for (let one = 0; one < (isLong ? 9 : 5); one++) known.push((await newUser(world())).email);
  const visitor = new Visitor(world().url);
  const [there, not] = await timesOf(
    (email) => visitor.post('/sign-in', { email, password: 'not this one' }),
    known,
  );
  expect(Math.abs(there - not)).toBeLessThan(0.5 * Math.max(there, not));
});

test('guessing: one address is guessed twenty times an hour from anywhere, and the owner signs in all the same', async () => {
  const { email, visitor: owner } = await newUser(world());
  await owner.post('/account/sign-out');
  const guess = (password: string) => new Visitor(world().url).post('/sign-in', { email, password });
  const answers = [];
  // At once, because one after another is not how it is done.
  for (let round = 0; round < 3; round++)
    answers.push(...(await Promise.all(Array.from({ length: 8 }, () => guess('not this one')))));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(20);
  const last = await guess(goodPassword);
  expect([last.status, Number(last.headers.get('retry-after')) > 3_000]).toEqual([429, true]);
  // The browser that signed in before is not counted with strangers.
  expect((await owner.post('/sign-in', { email, password: goodPassword })).location).toBe('/account');
  // And a mail gets in from any browser.
  const elsewhere = new Visitor(world().url);
  expect(
    (await elsewhere.post(`/link/${await newLink(world(), email)}`, { password: 'a better phrase still' }))
      .location,
  ).toBe('/account');
  expect((await (await signedIn(world(), email, 'a better phrase still')).get('/account')).status).toBe(200);
});

test('wrong passwords and codes leave audit rows at the account, no more than were looked at, and none elsewhere', async () => {
  const { email } = await newUser(world());
  const actsOf = async (where: string) =>
    (
      await world().admin.query<{ acts: number }>(
        `select count(*)::int as acts from auth.audit_log where act = 'password_wrong' and ${where}`,
      )
    ).rows[0]!.acts;
  const own = `user_id = (select id from auth.users where email = '${email}')`;
  const elsewhere = await actsOf(`not ${own}`);
  for (let guess = 0; guess < 22; guess++)
    await new Visitor(world().url).post('/sign-in', { email, password: 'not this one' });
  await new Visitor(world().url).post('/sign-in', { email: 'not.there@example.com', password: 'x' });
  expect([await actsOf(own), await actsOf(`not ${own}`)]).toEqual([20, elsewhere]);
});

test('guessing: a device that is known for one account is a stranger to another, and nobody makes one up', async () => {
  const { visitor: attacker } = await newUser(world());
  const { email } = await newUser(world());
  moveOn(world(), 3_600_001);
  const guess = async (device?: string) => {
    const guesser = new Visitor(world().url);
    if (device !== undefined) guesser.jar.set('__Host-rostrum-device', device);
    return (await guesser.post('/sign-in', { email, password: 'not this one' })).status;
  };
  const ofAttacker = attacker.jar.get('__Host-rostrum-device')!;
  const madeUp = `${newToken()}.${newToken()}`;
  for (let turn = 0; turn < 10; turn++)
    expect([await guess(ofAttacker), await guess(madeUp)]).toEqual([401, 401]);
  // Together they were the twenty of strangers: neither has guesses of its own.
  expect([await guess(), await guess(ofAttacker), await guess(madeUp)]).toEqual([429, 429, 429]);
});

test('guessing: an address without an account is made to wait like one with', async () => {
  const email = 'never.there@example.com';
  const answers = [];
  for (let guess = 0; guess < 21; guess++)
    answers.push(
      (await new Visitor(world().url).post('/sign-in', { email, password: 'not this one' })).status,
    );
  expect(answers.slice(19)).toEqual([401, 429]);
});

test('guessing: one client that tries many addresses is made to wait', async () => {
  const answers = [];
  for (let one = 0; one < 32; one++)
    answers.push(
      (
        await new Visitor(world().url).post('/sign-in', {
          email: `spray${one}@example.com`,
          password: 'not this one',
        })
      ).status,
    );
  expect(answers.slice(29)).toEqual([401, 429, 429]);
});
