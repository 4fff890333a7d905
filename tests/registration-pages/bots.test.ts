import { expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';
import { peopleOf } from './people-of.ts';
import { newAddress, openForm, openPage, passSeconds, post, tokenIn } from './visitor.ts';

const world = useWorld({ env: { TRUST_PROXY: 'true' } });

const person = (name: string) => ({ full_name: name, email: `${name.toLowerCase()}@example.com` });

test('whoever looks like a program gets the form again and can go on from there', async () => {
  const org = await world().newOrg();
  const { url } = await openPage(org, { slug: 'again' });
  const now = async () => tokenIn(await (await fetch(url)).text());
  const other = await openPage(org, { slug: 'another' });
  const foreign = await openForm(world(), other.url);
  const old = await openForm(world(), url);
  passSeconds(world(), 12 * 3_600);
  const ways: [string, () => Promise<Record<string, string>> | Record<string, string>][] = [
    ['without a token', () => ({})],
    ['with a token of its own making', async () => ({ token: `${(await now()).slice(0, -1)}A` })],
    ['with the token of another page', () => ({ token: foreign })],
    ['too soon', async () => ({ token: await now() })],
    ['too late', () => ({ token: old })],
    ['with the trap filled in', async () => ({ token: await now(), website: 'https://spam.example' })],
  ];
  for (const [way, more] of ways) {
    const from = newAddress();
    const first = await post(url, { ...person('Ann'), ...(await more()) }, { from });
    expect([way, first.status, first.text.includes('value="ann@example.com"')]).toEqual([way, 422, true]);
    expect(first.text).toContain('press Register again');
    expect(/class="trap"/.test(first.text)).toBe(way !== 'with the trap filled in');
    expect(await peopleOf(org)).toEqual([]);
    passSeconds(world(), 3);
    const name = `Again${ways.findIndex(([one]) => one === way)}`;
    const second = await post(url, { ...person(name), token: tokenIn(first.text) }, { from });
    expect([way, second.status]).toEqual([way, 303]);
    const { body } = await org.rest('GET /v1/people');
    for (const { id } of body.people) await org.rest(`DELETE /v1/people/${id}`);
  }
});

test('a token is good once: the same form again is the same registration, another one comes back', async () => {
  const org = await world().newOrg();
  const { url } = await openPage(org, { slug: 'once' });
  const token = await openForm(world(), url);
  const from = newAddress();
  const sends = await Promise.all([1, 2, 3].map(() => post(url, { ...person('Ann'), token }, { from })));
  expect(sends.some(({ status }) => status === 303)).toBe(true);
  expect((await post(url, { ...person('Ann'), token }, { from })).status).toBe(303);
  const other = await post(url, { ...person('Ben'), token }, { from });
  expect([other.status, other.text.includes('value="ben@example.com"')]).toEqual([409, true]);
  expect(await peopleOf(org)).toHaveLength(1);
  passSeconds(world(), 3);
  const next = await post(url, { ...person('Ben'), token: tokenIn(other.text) }, { from });
  expect(next.status).toBe(303);
});

test('many from one address wait for the next minute, and another address does not', async () => {
  const org = await world().newOrg();
  const { url } = await openPage(org, { slug: 'many' });
  const page = await openPage(org, { slug: 'many-more' });
  // At the beginning of a minute, so that all of it is one.
  passSeconds(world(), 60 - ((world().clock.now().getTime() / 1000) % 60));
  const token = await openForm(world(), url);
  const from = newAddress();
  for (let at = 0; at < 30; at++) await post(page.url, {}, { from });
  const late = await post(url, { ...person('Ann'), token }, { from });
  expect([late.status, Number(late.headers.get('retry-after')) > 0]).toEqual([429, true]);
  expect(late.text).toContain('value="ann@example.com"');
  expect((await post(url, { ...person('Ann'), token }, { from: newAddress() })).status).toBe(303);
  passSeconds(world(), 60);
  expect((await post(url, { ...person('Ben'), token: tokenIn(late.text) }, { from })).status).toBe(303);
});
