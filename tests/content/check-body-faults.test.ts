import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { checkBody as CheckBody } from '../../src/domain/content/check-body.ts';

const body = '<p>x</p>'.repeat(2_000);

/** A thread that does nothing by itself. */
class FakeWorker extends EventEmitter {
  static readonly all: FakeWorker[] = [];
  readonly asked: string[] = [];
  readonly ref = vi.fn<() => void>();
  readonly unref = vi.fn<() => void>();
  readonly terminate = vi.fn<() => Promise<number>>(async () => 1);

  constructor() {
    super();
    FakeWorker.all.push(this);
  }

  postMessage(source: string): void {
    this.asked.push(source);
  }

  answer(): void {
    this.emit('message', '{"findings":[]}');
  }
}

vi.mock('node:worker_threads', () => ({ Worker: FakeWorker }));

let checkBody: typeof CheckBody;
beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  FakeWorker.all.length = 0;
  ({ checkBody } = await import('../../src/domain/content/check-body.ts'));
});
afterEach(() => {
  vi.useRealTimers();
});

const soon = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1);

test('one thread is started, when it is first needed, and asked one body at a time', async () => {
  expect(FakeWorker.all).toHaveLength(0);
  const first = checkBody('html', body);
  const second = checkBody('html', body);
  await soon();
  expect(FakeWorker.all).toHaveLength(1);
  const [worker] = FakeWorker.all;
  expect(worker!.asked).toHaveLength(1);
  worker!.answer();
  await first;
  await soon();
  expect(worker!.asked).toHaveLength(2);
  worker!.answer();
  await second;
  expect(worker!.unref).toHaveBeenCalledTimes(2);
  expect(worker!.listenerCount('message')).toBe(0);
});

test('a check that takes longer than five seconds is given up, and the next has a thread of its own', async () => {
  const first = checkBody('html', body);
  const failed = first.catch(String);
  const second = checkBody('html', body);
  await vi.advanceTimersByTimeAsync(4_900);
  expect(FakeWorker.all).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(await failed).toBe('Error: Checking a body took longer than 5 seconds.');
  expect(FakeWorker.all[0]!.terminate).toHaveBeenCalledOnce();
  expect(FakeWorker.all).toHaveLength(2);
  FakeWorker.all[1]!.answer();
  await expect(second).resolves.toEqual({ findings: [] });
});

test('a thread that dies while it is asked fails that check alone', async () => {
  for (const die of [
    (worker: FakeWorker) => worker.emit('error', new Error('out of memory')),
    (worker: FakeWorker) => worker.emit('exit', 1),
  ]) {
    const first = checkBody('html', body);
    const failed = first.catch(String);
    await soon();
    die(FakeWorker.all.at(-1)!);
    expect(await failed).toMatch(/^Error: /);
    const second = checkBody('html', body);
    await soon();
    FakeWorker.all.at(-1)!.answer();
    await second;
  }
  expect(FakeWorker.all).toHaveLength(3);
});

test('a thread that dies while nobody asks is replaced', async () => {
  const first = checkBody('html', body);
  await soon();
  FakeWorker.all[0]!.answer();
  await first;
  FakeWorker.all[0]!.emit('error', new Error('out of memory'));
  const second = checkBody('html', body);
  await soon();
  expect(FakeWorker.all).toHaveLength(2);
  FakeWorker.all[1]!.answer();
  await second;
});
