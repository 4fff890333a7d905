import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restateEngine } from '../../src/durable/engine.ts';
import { startLocalRestate, type LocalRestate } from '../../src/main/local-restate.ts';
import { rostrumHere } from '../blackbox/run-here.ts';
import { changedRelease } from '../support/changed-release.ts';
import { startHandlersProcess, type HandlersProcess } from '../support/handlers-process.ts';
import { volume } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
const witness = join(tmpdir(), `rostrum-witness-${process.pid}`);
const go = `${witness}.go`; // what old code began waits for it
const inFlight = volume(20, 4);
let restate: LocalRestate;
const roots: string[] = [];
const started: HandlersProcess[] = [];

beforeAll(async () => {
  writeFileSync(witness, '');
  restate = await startLocalRestate();
  roots.push(await changedRelease(witness, 'old', ['first', 'wait', 'second']));
  roots.push(await changedRelease(witness, 'new', ['second', 'third', 'first']));
  roots.push(await changedRelease(witness, 'newest', ['third']));
});
afterAll(async () => {
  await Promise.all(started.map((one) => one.end('SIGKILL')));
  await restate.stop();
  await restate.remove();
  for (const path of [witness, go, ...roots]) rmSync(path, { recursive: true, force: true });
});

async function serve(root: string, env: Record<string, string> = {}): Promise<HandlersProcess> {
  const handlers = await startHandlersProcess({ restate, databaseUrl: world().databaseUrl, root, env });
  started.push(handlers);
  expect(await handlers.listens).toBe(true);
  return handlers;
}

/** Hands work to the engine; answers its ids. */
async function begin(count = inFlight): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const change_id of ids) {
    const payload = { org_id: randomUUID(), request_id: 'r', change_id };
    const message = { service: 'PersonProperties', handler: 'apply', payload };
    expect(await restateEngine([restate.ingressUrl]).send(message, randomUUID())).toBe(true);
  }
  return ids;
}

/** What was done for these, in order: a step that was done twice stands there twice. */
const doneFor = (ids: readonly string[]): string[][] => {
  const lines = readFileSync(witness, 'utf8').split('\n');
  return ids.map((id) => lines.filter((line) => line.endsWith(id)).map((line) => line.replace(` ${id}`, '')));
};
const all = (ids: readonly string[], steps: string[]) => ids.map(() => steps);

const handlers = (...args: string[]) =>
  rostrumHere(['handlers', ...args], { RESTATE_ADMIN_URL: restate.adminUrl });
interface Told {
  readonly id: string;
  readonly url: string;
  readonly gets_new_work: boolean;
  readonly left: number;
}
async function told(port: number): Promise<Told> {
  const { stdout } = await handlers('list');
  const lines = stdout.trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Told).find(({ url }) => url.includes(`:${port}/`))!;
}

test('what old code began ends on old code, once, while new code takes the new work', async () => {
  const old = await serve(roots[0]!);
  const early = await begin();
  await expect.poll(() => doneFor(early)).toEqual(all(early, ['old first']));
  const next = await serve(roots[1]!);
  const { id } = await told(old.port);
  // Back to the old release, and forth again.
  expect(await handlers('use', id)).toMatchObject({ code: 0 });
  early.push(...(await begin(1)));
  await expect.poll(() => doneFor(early)).toEqual(all(early, ['old first']));
  expect(await handlers('use', (await told(next.port)).id)).toMatchObject({ code: 0 });
  const late = await begin();
  expect(await told(old.port)).toMatchObject({ gets_new_work: false, left: early.length });
  expect(await handlers('remove', id)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('have not ended'),
  });
  // An old process that starts again serves what it began, and takes nothing new.
  await old.end();
  const again = await serve(roots[0]!, { HANDLERS_PORT: String(old.port) });
  await expect.poll(() => again.log()).toContain('another release gets the new work');
  late.push(...(await begin()));
  const newSteps = ['new second', 'new third', 'new first'];
  await expect.poll(() => doneFor(late)).toEqual(all(late, newSteps));
  writeFileSync(go, '');
  const oldSteps = ['old first', 'old second'];
  await expect.poll(() => doneFor(early), { timeout: 40_000 }).toEqual(all(early, oldSteps));
  await expect.poll(() => next.log()).toContain('nothing is left on older handlers');
  const { id: latest } = await told(next.port);
  expect(await handlers('remove', latest)).toMatchObject({ code: 2 });
  expect(await handlers('remove', id)).toMatchObject({ code: 0 });
  expect(await told(old.port)).toBeUndefined();
  await Promise.all(started.map((one) => one.end()));
});

test('new code at the address of the old one does not touch what that began, until an operator gives it up', async () => {
  rmSync(go);
  const old = await serve(roots[0]!);
  const early = await begin();
  await expect.poll(() => doneFor(early)).toEqual(all(early, ['old first']));
  await old.end('SIGKILL');
  const next = await serve(roots[2]!, { HANDLERS_PORT: String(old.port) });
  const late = await begin();
  await expect.poll(() => doneFor(late)).toEqual(all(late, ['newest third']));
  const lines = (await handlers('list')).stdout.trim().split('\n');
  // What is new may not have ended yet in the engine's eyes.
  const gone = lines
    .map((line) => JSON.parse(line) as Told)
    .find(({ gets_new_work, left }) => !gets_new_work && left > 0)!;
  expect(gone.left).toBe(inFlight);
  expect(await handlers('remove', gone.id, '--give-up')).toMatchObject({ code: 0 });
  expect((await handlers('list')).stdout).not.toContain(gone.id);
  expect(doneFor(early)).toEqual(all(early, ['old first']));
  expect(next.log()).not.toMatch(/mismatch|JOURNAL/i);
});
