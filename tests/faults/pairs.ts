import { setTimeout as pause } from 'node:timers/promises';
import { tell, type Options, type Size } from '../../benches/support/command.ts';
import { atMost, exactly, told, type Figure } from '../../benches/support/figure.ts';
import { freePort } from '../../src/main/free-ports.ts';
import { startLocalRestate } from '../../src/main/local-restate.ts';
import { openBalancer } from './balancer.ts';
import { onDatabase } from './broadcast-setting.ts';
import { closeAll, openStage, type Closing, type Stage } from './broadcast-stage.ts';
import { commitFile, untilOver } from './import-course.ts';
import { strangersOf } from './import-file.ts';
import { lingering } from './import-stage.ts';
import { Part } from './part.ts';
import { keepRegistering } from './registrants.ts';
import { judgeWhole, untilAllDone } from './whole-judge.ts';
import { PatientCaller } from './workflow-caller.ts';

const plans = {
  small: { people: 2_000, rows: 8_000, delayMs: 200, everyMs: 100, waitMs: 2_000, patience: 300 },
  full: { people: 20_000, rows: 10_000, delayMs: 40, everyMs: 200, waitMs: 10_000, patience: 900 },
};
/** The import begins when so much of the broadcast is out, and is slow, so that both are under way all the time. */
const importAt = 0.1;
const lingerMs = 4_000;
/** When the first are killed and the second drained, by rows of the import that are done. */
const moments = { kill: 0.1, drain: 0.4 };
const goneMs = 500;
/** Two lanes of the broadcast and one of each of two mailings, a window each. */
const inHand = 4 * 64;

type Pair = readonly [Part, Part];

/**
 * Two of every process. In mid-broadcast and mid-import the first of each is killed, later the second of each is told to
 * end. Nothing may be lost or done twice, and draining may leave nothing uncertain.
 */
export async function pairs(size: Size, { seed }: Options): Promise<Figure[]> {
  const { people, rows, delayMs, everyMs, waitMs, patience } = plans[size];
  const closing: Closing = [];
  try {
    const restate = await startLocalRestate();
    closing.push(restate.remove, () => restate.stop());
    const ports = {
      handlers: [await freePort(), await freePort()],
      api: [await freePort(), await freePort()],
    };
    const [toHandlers, toApi] = [await openBalancer(ports.handlers), await openBalancer(ports.api)];
    closing.push(toHandlers.close, toApi.close);
    const env = {
      HANDLERS_URL: `http://127.0.0.1:${toHandlers.port}`,
      HANDLERS_PORT: String(ports.handlers[0]),
      PORT: String(ports.api[0]),
      MAILBOX_PORT: '0',
    };
    const stage = await openStage(
      { people, delayMs, cutOneIn: Infinity, seed, engine: restate, env },
      closing,
    );
    const second = {
      ...stage.env,
      HANDLERS_PORT: String(ports.handlers[1]),
      PORT: String(ports.api[1]),
    };
    const started = (name: string, with_: Readonly<Record<string, string>>): Part => {
      const part = new Part(name, with_);
      part.start();
      closing.push(() => part.kill('SIGTERM'));
      return part;
    };
    const all: readonly Pair[] = [
      [stage.handlers, started('handlers', second)],
      [stage.relay, started('relay', second)],
      [stage.api, started('api', second)],
      [started('mailbox', stage.env), started('mailbox', second)],
    ];
    const url = `http://127.0.0.1:${toApi.port}`;
    const caller = new PatientCaller(url, stage.key);
    const file = strangersOf(0, rows).map(({ external, email }) => ({
      cells: { 'Customer id': external, Email: email },
      says: null,
    }));
    await ask(stage, lingering(lingerMs));
    await stage.begin();
    const registrants = await keepRegistering({ url, key: stage.key }, { everyMs, waitMs });
    closing.push(registrants.stop);
    while ((await stage.sink.readLog()).taken.size < importAt * people) await pause(100);
    const importing = commitFile(caller, { file, merges: 'allow', isFirst: true }, 'pairs').then((made) =>
      untilOver(caller, made.id, patience),
    );
    importing.catch(() => undefined); // awaited below
    const isKilledMidway = await isMidway(stage, moments.kill * rows, patience);
    for (const [first] of all) await endAndStart(first, 'SIGKILL');
    await untilSettled(stage);
    const isDrainedMidway = await isMidway(stage, moments.drain * rows, patience);
    const drainedFrom = new Date();
    const drains: number[] = [];
    for (const [, other] of all) drains.push(await endAndStart(other, 'SIGTERM'));
    const imported = await importing;
    await registrants.stop();
    const isDone = await untilAllDone(stage.postgres.url, { patience });
    const given = await ask<{ killed: number; drained: number }>(
      stage,
      `select count(*) filter (where at < $1)::int as killed,
         count(*) filter (where at >= $1 and d.state = 'uncertain')::int as drained
       from given_up g join deliveries d on d.id = g.delivery_id`,
      [drainedFrom],
    );
    const made = await ask<{ people: number; twice: number }>(
      stage,
      `select count(distinct external_user_id)::int as people, (count(*) - count(distinct external_user_id))::int as twice
       from people where external_user_id like 'new-0-%'`,
    );
    const { figures, uncertain } = await judgeWhole(
      stage,
      registrants.all.map(({ email }) => email),
    );
    return [
      exactly('killed in mid-broadcast and mid-import', Number(isKilledMidway), 1),
      exactly('drained in mid-broadcast and mid-import', Number(isDrainedMidway), 1),
      told('longest draining, seconds', Math.max(...drains) / 1_000),
      exactly('times all of it was done in the end', Number(isDone), 1),
      exactly(
        'times a part ended by itself',
        all.flat().reduce((sum, { endedByItself }) => sum + endedByItself, 0),
        0,
      ),
      told('calls that had to be made again', registrants.again() + caller.again),
      exactly('calls that got an answer such as 500', registrants.broken() + caller.broken, 0),
      exactly('rows of the import that succeeded', imported.succeeded, rows),
      exactly('  people of it', made.rows[0]!.people, rows),
      exactly('  made twice', made.rows[0]!.twice, 0),
      ...figures,
      told('given up after the kill', given.rows[0]!.killed),
      exactly('uncertain because of draining', given.rows[0]!.drained, 0),
      atMost('uncertain, of those in hand at the kill', uncertain, inHand, 1),
    ];
  } finally {
    await closeAll(closing);
  }
}

/** Waits until so many rows are imported. Answers whether both the import and the broadcast are still under way. */
async function isMidway(stage: Stage, rows: number, patience: number): Promise<boolean> {
  const until = performance.now() + patience * 1_000;
  while (performance.now() < until) {
    const { rows: seen } = await ask<{ both: boolean }>(
      stage,
      `select i.status = 'committing' and b.status = 'sending' as both
       from imports i, broadcasts b where i.succeeded >= $1 and b.audience = 'webinar'`,
      [rows],
    );
    if (seen[0] !== undefined) return seen[0].both;
    await pause(50);
  }
  return false;
}

/** Waits until whatever is in hand now is settled or given up, so that nothing later can be for that reason. */
async function untilSettled(stage: Stage): Promise<void> {
  const { rows } = await ask<{ id: string }>(
    stage,
    `select id::text from deliveries where state = 'sending'`,
  );
  const ids = rows.map(({ id }) => id);
  const left = `select 1 from deliveries where state = 'sending' and id = any($1::bigint[]) limit 1`;
  while ((await ask(stage, left, [ids])).rows.length > 0) await pause(50);
}

/** Answers how long it took to end. */
async function endAndStart(part: Part, signal: 'SIGKILL' | 'SIGTERM'): Promise<number> {
  const began = performance.now();
  await part.kill(signal);
  const took = performance.now() - began;
  tell(`${part.name}: ${signal}, gone after ${took.toFixed(0)} ms`);
  await pause(goneMs);
  part.start();
  return took;
}

const ask = <T extends object>({ postgres }: Stage, text: string, values: unknown[] = []) =>
  onDatabase(postgres.url, (client) => client.query<T>(text, values));
