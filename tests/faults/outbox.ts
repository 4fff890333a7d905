import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { dropDatabase, seedDatabase, type Population } from '../../benches/support/bench-database.ts';
import { tell, type Options, type Size } from '../../benches/support/command.ts';
import { exactly, told, type Figure } from '../../benches/support/figure.ts';
import { freePort } from '../../src/main/free-ports.ts';
import { startLocalRestate } from '../../src/main/local-restate.ts';
import { chanceOf, type Chance } from './chance.ts';
import { Part, rearm, restatePart, until, type Killable } from './part.ts';

const plans = { small: { calls: 400, kills: 2 }, full: { calls: 20_000, kills: 10 } };
const people = 40; // few, so that changes of one person overlap

/**
 * identify_person with custom properties, while relay, handlers and Restate are killed in turn. Every accepted value
 * must be applied, the last one of each person must stand, and nothing may be left over. In the end the engine's
 * whole state is thrown away with work under way, and the rows alone must bring it back.
 */
export async function outbox(size: Size, { seed }: Options): Promise<Figure[]> {
  const plan = plans[size];
  const population: Population = {
    name: `rostrum_faults_${size}`,
    measured: [{ people: 10, properties: 5 }],
    others: { count: 0, people: 0, properties: 0 },
  };
  const database = await seedDatabase(population);
  const [org] = database.orgs;
  const restate = await startLocalRestate();
  const env = {
    DATABASE_URL: database.url,
    ROSTRUM_SECRET: 'a secret for fault runs that guards nothing',
    RESTATE_INGRESS_URL: restate.ingressUrl,
    RESTATE_ADMIN_URL: restate.adminUrl,
    RESTATE_IDENTITY_KEY: restate.identityKey,
    HANDLERS_PORT: String(await freePort()),
    PORT: String(await freePort()),
  };
  const handlers = new Part('handlers', env);
  const relay = new Part('relay', env);
  const api = new Part('api', env);
  for (const part of [handlers, relay, api]) part.start();
  const rows = new pg.Client({ connectionString: database.url });
  await rows.connect();
  const wanted = new Map<string, number>();
  const url = `http://127.0.0.1:${env.PORT}`;
  const call = (n: number): Promise<void> => identify(url, org!.secret, n, wanted);
  try {
    await until(`${url}/health`);
    const killer = killInTurn(plan.kills, plan.calls, wanted, {
      victims: [relay, handlers, restatePart(restate)],
      chance: chanceOf(seed),
    });
    await inParallel(plan.calls, call);
    const killed = await killer;
    const firstDrain = await drained(rows, 600);
    const lost = await countLost(rows, org!.id, wanted);

    tell('throwing the engine state away');
    await handlers.kill();
    await inParallel(people * 2, (n) => call(plan.calls + n));
    await handedOver(rows);
    await restate.stop('SIGKILL');
    await restate.wipe();
    await restate.start();
    handlers.start();
    await rearm(env);
    const secondDrain = await drained(rows, 600);
    const lostWithEngine = await countLost(rows, org!.id, wanted);
    return [
      told('kills of relay, handlers and Restate', killed),
      exactly('values lost, after kills', lost, 0),
      exactly('changes left over, after kills', firstDrain.left, 0),
      told('seconds until all was applied, after kills', firstDrain.seconds),
      exactly('values lost, engine state thrown away', lostWithEngine, 0),
      exactly('changes left over, engine state thrown away', secondDrain.left, 0),
      told('seconds until all was applied, engine state thrown away', secondDrain.seconds),
    ];
  } finally {
    for (const part of [api, relay, handlers]) await part.kill('SIGTERM');
    await restate.stop();
    await restate.remove();
    await rows.end();
    await dropDatabase(population);
  }
}

async function identify(url: string, secret: string, n: number, wanted: Map<string, number>): Promise<void> {
  const email = `person-${n % people}@example.com`;
  const response = await fetch(`${url}/v1/people/identify`, {
    method: 'POST',
    headers: { authorization: secret, 'auth-type': 'api', 'content-type': 'application/json' },
    body: JSON.stringify({ email, custom_properties: { score: n } }),
  });
  if (response.status !== 200)
    throw new Error(`identify answered ${response.status}: ${await response.text()}`);
  await response.body?.cancel();
  wanted.set(email, n);
}

/** Eight at once, but those of one person one after another, so that its last value is known. */
async function inParallel(calls: number, call: (n: number) => Promise<void>): Promise<void> {
  const lane = async (first: number): Promise<void> => {
    for (let n = first; n < calls; n += 8) await call(n);
  };
  await Promise.all(Array.from({ length: 8 }, (_, first) => lane(first)));
}

/** Spreads the kills over the run: each falls between some commit and its effect, because calls never stop. */
async function killInTurn(
  kills: number,
  calls: number,
  done: ReadonlyMap<string, number>,
  { victims, chance }: { readonly victims: readonly Killable[]; readonly chance: Chance },
): Promise<number> {
  let killed = 0;
  for (let round = 1; round <= kills; round++) {
    for (const [turn, victim] of victims.entries()) {
      const at = 0.95 * calls * ((round - 1 + (turn + chance()) / victims.length) / kills);
      while (Math.max(0, ...done.values()) < at) await pause(10);
      await victim.kill();
      await pause(100 + chance() * 300);
      await victim.start();
      killed += 1;
    }
  }
  return killed;
}

/** Waits until the engine has been told everything and the outbox is empty: from here on it alone knows to look. */
async function handedOver(rows: pg.Client): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const { rows: counts } = await rows.query<{ left: string }>('select count(*) as left from outbox');
    if (Number(counts[0]?.left) === 0) return;
    await pause(100);
  }
  throw new Error('the relay did not hand everything over');
}

/** Waits until no change is pending and nothing stands in the outbox. */
async function drained(rows: pg.Client, patience: number): Promise<{ left: number; seconds: number }> {
  const started = performance.now();
  for (;;) {
    const { rows: counts } = await rows.query<{ left: string }>(
      'select (select count(*) from property_changes) + (select count(*) from outbox) as left',
    );
    const left = Number(counts[0]?.left);
    const seconds = (performance.now() - started) / 1000;
    if (left === 0 || seconds > patience) return { left, seconds };
    await pause(200);
  }
}

async function countLost(rows: pg.Client, org: string, wanted: ReadonlyMap<string, number>): Promise<number> {
  const { rows: values } = await rows.query<{ primary_email: string; number_value: number }>(
    `select p.primary_email, v.number_value from people p
     join property_values v on v.org_id = p.org_id and v.person_id = p.id
     join property_configs c on c.org_id = v.org_id and c.id = v.config_id and c.key = 'score'
     where p.org_id = $1`,
    [org],
  );
  const applied = new Map(values.map((row) => [row.primary_email, row.number_value]));
  return [...wanted].filter(([email, n]) => applied.get(email) !== n).length;
}
