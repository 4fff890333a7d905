import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { workThread } from '../../src/kernel/work-thread.ts';

const body = '<p>x</p>';

/** A thread that does nothing by itself. */
class IdleThread extends EventEmitter {
  static readonly all: IdleThread[] = [];
  readonly asked: string[] = [];
  readonly ref = vi.fn<() => void>();
  readonly unref = vi.fn<() => void>();
  readonly terminate = vi.fn<() => Promise<number>>(async () => 1);

  constructor(startsAfterMs: number) {
    super();
    IdleThread.all.push(this);
    setTimeout(() => this.emit('message', 'ready'), startsAfterMs);
  }

  postMessage(source: string): void {
    this.asked.push(source);
  }

  answer(): void {
    this.emit('message', '{"findings":[]}');
  }
}

let check: (source: string) => Promise<unknown>;
let startsAfterMs: number;
beforeEach(() => {
  vi.useFakeTimers();
  IdleThread.all.length = 0;
  startsAfterMs = 0;
  check = workThread({ start: () => new IdleThread(startsAfterMs), doing: 'Checking a body', mostMs: 5_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const soon = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1);

test('one thread is started, when it is first needed, and asked one body at a time', async () => {
  expect(IdleThread.all).toHaveLength(0);
  const first = check(body);
  const second = check(body);
  await soon();
  expect(IdleThread.all).toHaveLength(1);
  const [worker] = IdleThread.all;
  expect(worker!.asked).toHaveLength(1);
  worker!.answer();
  await first;
  await soon();
  expect(worker!.asked).toHaveLength(2);
  worker!.answer();
  await second;
  expect(worker!.unref).toHaveBeenCalledTimes(3); // once it has started, and after each answer
  expect(worker!.listenerCount('message')).toBe(0);
});

test('a check that takes longer than five seconds is given up, and the next has a thread of its own', async () => {
  const first = check(body);
  const failed = first.catch(String);
  const second = check(body);
  await vi.advanceTimersByTimeAsync(4_900);
  expect(IdleThread.all).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(await failed).toBe('Error: Checking a body took longer than 5 seconds.');
  expect(IdleThread.all[0]!.terminate).toHaveBeenCalledOnce();
  expect(IdleThread.all).toHaveLength(2);
  IdleThread.all[1]!.answer();
  await expect(second).resolves.toEqual({ findings: [] });
});

test('a thread that starts slowly takes no time from what it is asked', async () => {
  startsAfterMs = 10_000;
  const first = check(body);
  await vi.advanceTimersByTimeAsync(14_000);
  expect(IdleThread.all).toHaveLength(1);
  IdleThread.all[0]!.answer();
  await expect(first).resolves.toEqual({ findings: [] });
});

test('a thread that does not start is given up', async () => {
  startsAfterMs = 30_000;
  const failed = check(body).catch(String);
  await vi.advanceTimersByTimeAsync(20_100);
  expect(await failed).toBe('Error: Checking a body took longer than 20 seconds.');
  expect(IdleThread.all[0]!.terminate).toHaveBeenCalledOnce();
});

test('a thread that dies while it is asked fails that check alone', async () => {
  for (const die of [
    (worker: IdleThread) => worker.emit('error', new Error('out of memory')),
    (worker: IdleThread) => worker.emit('exit', 1),
  ]) {
    const first = check(body);
    const failed = first.catch(String);
    await soon();
    die(IdleThread.all.at(-1)!);
    expect(await failed).toMatch(/^Error: /);
    const second = check(body);
    await soon();
    IdleThread.all.at(-1)!.answer();
    await second;
  }
  expect(IdleThread.all).toHaveLength(3);
});

test('a thread that dies while nobody asks is replaced', async () => {
  const first = check(body);
  await soon();
  IdleThread.all[0]!.answer();
  await first;
  IdleThread.all[0]!.emit('error', new Error('out of memory'));
  const second = check(body);
  await soon();
  expect(IdleThread.all).toHaveLength(2);
  IdleThread.all[1]!.answer();
  await second;
});
