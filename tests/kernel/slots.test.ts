import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { slots, type PlaceKind, type Slots } from '../../src/kernel/slots.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const patient = new AbortController().signal;

/** Whoever comes, in the order of being served or turned away. */
function gate(places: Slots) {
  const served: string[] = [];
  const turnedAway: string[] = [];
  const come = (owner: string, kind?: PlaceKind): void => {
    void places.take(owner, patient, kind).then((isServed) => (isServed ? served : turnedAway).push(owner));
  };
  return { served, turnedAway, come, settle: () => vi.advanceTimersByTimeAsync(0) };
}

test('alone, an owner has all places; what becomes free goes to who has the fewest, then to who was served longest ago', async () => {
  const places = slots(3);
  const { come, served, settle } = gate(places);
  for (let at = 0; at < 9; at++) come('greedy');
  for (const owner of ['one', 'two', 'one', 'two']) come(owner);
  await settle();
  expect(served.splice(0)).toEqual(['greedy', 'greedy', 'greedy']);
  expect([places.isWanted('greedy'), places.isWanted('one')]).toEqual([true, false]);
  for (let at = 0; at < 3; at++) places.free('greedy');
  await settle();
  expect(served.splice(0)).toEqual(['one', 'two', 'greedy']);
  places.free('two');
  places.free('one');
  await settle();
  expect(served).toEqual(['two', 'one']);
});

test('spare places are for short work alone', async () => {
  const places = slots(1, { spare: 1 });
  const { come, served, settle } = gate(places);
  for (const owner of ['one', 'two']) come(owner, 'long');
  for (const owner of ['three', 'four']) come(owner, 'short');
  await settle();
  expect(served).toEqual(['one', 'three']);
  expect(places.overfull).toBe(true);
  places.free('three');
  await settle();
  expect(served).toEqual(['one', 'three', 'four']);
  places.free('four');
  places.free('one');
  await settle();
  expect(served).toEqual(['one', 'three', 'four', 'two']);
});

test('few wait: one of an owner, some in all, not for long, and first whoever was served longest ago', async () => {
  const places = slots(1, { own: 1, all: 2, longestMs: 1_000 });
  const { come, served, turnedAway, settle } = gate(places);
  come('one');
  for (const owner of ['one', 'one', 'two', 'three']) come(owner);
  await settle();
  // One was served already, and makes room for the third.
  expect({ served, turnedAway }).toEqual({ served: ['one'], turnedAway: ['one', 'one'] });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(turnedAway).toEqual(['one', 'one', 'two', 'three']);
  places.free('one');
  expect(places.unused).toBe(true);
});

test('short work waits before long, also of somebody who was served lately', async () => {
  const places = slots(1, { spare: 1, all: 2 });
  const { come, served, turnedAway, settle } = gate(places);
  come('few', 'short');
  await settle();
  places.free('few');
  come('one', 'long');
  come('two', 'short');
  for (const owner of ['three', 'four']) come(owner, 'long');
  come('few', 'short');
  await settle();
  expect({ served, turnedAway }).toEqual({ served: ['few', 'one', 'two'], turnedAway: ['three'] });
  come('five', 'short');
  await settle();
  come('six', 'long');
  await settle();
  expect(turnedAway).toEqual(['three', 'four', 'six']);
  places.free('two');
  places.free('one');
  await settle();
  expect(served).toEqual(['few', 'one', 'two', 'five', 'few']);
});

test('where recent turns are remembered, who comes with little goes before who had much', async () => {
  const places = slots(2, { remember: 100 });
  const { come, served, settle } = gate(places);
  for (let at = 0; at < 40; at++) come('much');
  for (let at = 0; at < 20; at++) {
    await settle();
    places.free('much');
  }
  for (let at = 0; at < 5; at++) come('little');
  await settle();
  served.splice(0);
  places.free('much');
  for (let at = 0; at < 4; at++) {
    places.free('little');
    await settle();
  }
  expect(served).toEqual(['little', 'little', 'little', 'little', 'little']);
});

test('short work is served as if its owner had had so many places less', async () => {
  const places = slots(1, { remember: 100, ahead: 3 });
  const { come, served, settle } = gate(places);
  for (let at = 0; at < 5; at++) come('one', 'long');
  for (let at = 0; at < 5; at++) come('few', 'short');
  await settle();
  for (const owner of ['one', 'few', 'few', 'few', 'few', 'one']) {
    places.free(owner);
    await settle();
  }
  expect(served).toEqual(['one', 'few', 'few', 'few', 'few', 'one', 'few']);
});

test('what was had counts until nobody has a place', async () => {
  const places = slots(1, { remember: 100 });
  const { come, served, settle } = gate(places);
  for (let at = 0; at < 4; at++) {
    come('early');
    await settle();
    places.free('early');
  }
  come('other');
  for (const owner of ['early', 'later', 'later']) come(owner);
  await settle();
  served.splice(0);
  for (const owner of ['other', 'later', 'early']) {
    places.free(owner);
    await settle();
  }
  expect(served).toEqual(['later', 'early', 'later']);
});
