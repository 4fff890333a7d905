import { afterAll, beforeAll, expect, test } from 'vitest';
import { performer } from '../../../src/catalogue/perform.ts';
import { openDatabase, openPool, type Database } from '../../../src/database/pool.ts';
import { Failure } from '../../../src/kernel/failure.ts';
import { keyring } from '../../../src/main/keys.ts';
import { setLayout } from '../../support/broadcast.ts';
import { newSender } from '../../support/sender-row.ts';
import { waysTo } from '../../support/call-operation.ts';
import type { TestOrg } from '../../support/test-org.ts';
import { isLong, seed } from '../../support/volume.ts';
import { useWorld } from '../../support/world.ts';
import { Random } from '../../segments/random.ts';
import { callerOf } from '../plan/drift-setting.ts';
import { judge, known, type Remains, type Round } from './races-judge.ts';
import { runRound, type Asked, type Place } from './races-round.ts';

const connections = 24;
const sideBySide = 4;
const day = 24 * 3_600_000;

const world = useWorld();
let pool: ReturnType<typeof openPool>;
let database: Database;

beforeAll(() => {
  // What a crash of the database would lose is not asked here, and waiting for the disk would take most of the time.
  const url = `${world().databaseUrl}?options=-c%20synchronous_commit%3Doff`;
  pool = openPool({ url, size: connections, onError: () => undefined });
  pool.options.connectionTimeoutMillis = 60_000; // more calls at once than connections: they wait for each other
  database = openDatabase(pool);
});
afterAll(() => pool.end());

/** Past the faces, with as many connections as there are calls. */
function throughPerform(org: TestOrg): Asked {
  const perform = performer(database, keyring(world().config), {
    returnPathHost: 'bounce.example.net',
    publicUrl: 'https://rostrum.example.net',
  });
  const caller = callerOf(org, new Date());
  return async (operation, input) => {
    try {
      return { answer: 'ok', output: (await perform(operation, caller, input)).output };
    } catch (error) {
      return { answer: error instanceof Failure ? error.code : `500 ${String(error)}`, output: {} };
    }
  };
}

/** As a client would, over REST and as tools by turns. */
function throughFaces(org: TestOrg): Asked {
  let turn = 0;
  return async (operation, input) => {
    const ways = waysTo(operation);
    const { status, body } = await ways[turn++ % ways.length]!.call(org, input);
    const output = body as Record<string, unknown>;
    return { answer: status < 300 ? 'ok' : status < 500 ? String(output['code']) : `${status}`, output };
  };
}

async function readRemains(org: TestOrg): Promise<(id: string) => Remains> {
  const ask = async <Row>(question: string): Promise<Row[]> =>
    (await world().admin.query(question, [org.id])).rows as Row[];
  const rows = await ask<{ id: string; status: string; revision: string }>(
    'select id, status, revision from broadcasts where org_id = $1',
  );
  const audits = await ask<{ id: string; operation: string; times: string }>(
    `select ids ->> 'broadcast_id' as id, operation, count(*) as times from audit_log where org_id = $1 group by 1, 2`,
  );
  const messages = await ask<{ id: string; service: string; revision: string }>(
    `select payload ->> 'broadcast_id' as id, service, payload ->> 'revision' as revision from outbox where org_id = $1`,
  );
  const [byId, auditsOf] = [new Map(rows.map((row) => [row.id, row])), Map.groupBy(audits, ({ id }) => id)];
  const messagesOf = Map.groupBy(messages, ({ id }) => id);
  return (id) => {
    const sent = (service: string) =>
      (messagesOf.get(id) ?? [])
        .filter((one) => one.service === service)
        .map(({ revision }) => Number(revision));
    return {
      status: byId.get(id)?.status ?? 'gone',
      revision: Number(byId.get(id)?.revision ?? 0),
      audited: Object.fromEntries(
        (auditsOf.get(id) ?? []).map(({ operation, times }) => [operation, Number(times)]),
      ),
      alarms: sent('BroadcastStart'),
      deliveries: sent('Delivery'),
    };
  };
}

/** Rows that one of the table's own checks would refuse. */
async function brokenChecks(): Promise<string[]> {
  const { rows } = await world().admin.query<{ name: string; rule: string }>(
    `select conname as name, pg_get_expr(conbin, conrelid) as rule from pg_constraint
     where conrelid = 'broadcasts'::regclass and contype = 'c'`,
  );
  expect(rows.length).toBeGreaterThan(5);
  const broken: string[] = [];
  for (const { name, rule } of rows) {
    const { rowCount } = await world().admin.query(`select 1 from broadcasts where not (${rule})`);
    if (rowCount !== 0) broken.push(name);
  }
  return broken;
}

/** Rounds in which nothing met anything would prove nothing: these must have been given, each more than once. */
const answersToMeet: readonly string[] = [
  ...known.schedule.map((answer) => `schedule ${answer}`),
  ...known.start.map((answer) => `start ${answer}`),
  'unschedule ok',
  'unschedule not_scheduled',
  'unschedule sending_begun',
  'patch ok',
  'patch broadcast_scheduled',
  'delete ok',
  'delete sending_begun',
];

test.each([
  { title: 'on many connections', rounds: isLong ? 800 : 40, through: throughPerform },
  { title: 'over REST and as tools', rounds: isLong ? 200 : 10, through: throughFaces },
])(
  'SCH-001 SCH-003 SCH-004 SCH-005 SCH-011 SCH-021 BRD-041 after $rounds rounds of everything at once, $title, each went in some order',
  async ({ rounds: howMany, through }) => {
    const org = await world().newOrg();
    await setLayout(org);
    await org.person({ email: 'rita@example.com', first_name: 'Rita' });
    const sender_id = await newSender(world(), org);
    const place: Place = {
      asked: through(org),
      database,
      org: org.id,
      sendAt: new Date(Date.now() + day),
      draft: { audience: 'everyone', subject: 'Hello', html: '<p>Hello</p>', sender_id },
    };
    const rounds: (Round & { id: string })[] = [];
    const run = async (count: number): Promise<void> => {
      const from = rounds.length;
      const waiting = Array.from({ length: count }, (_, at) => from + at).values();
      const work = async (): Promise<void> => {
        for (const at of waiting) rounds[at] = await runRound(place, new Random(seed + at));
      };
      await Promise.all(Array.from({ length: sideBySide }, work));
    };
    const unmet = (): string[] => {
      const given = Map.groupBy(
        rounds.flatMap(({ calls }) => calls),
        ({ ask, answer }) => `${ask.kind} ${answer}`,
      );
      return answersToMeet.filter((answer) => (given.get(answer)?.length ?? 0) < 2);
    };
    await run(howMany);
    // The rarest answers are given a few times in so many rounds, as a rule; once in a while it takes some more.
    for (let more = 0; more < 100 && unmet().length > 0; more++) await run(10);

    const remains = await readRemains(org);
    const failed = rounds.flatMap((round, at) => {
      const wrong = judge(round, remains(round.id));
      return wrong.length === 0
        ? []
        : [{ seed: seed + at, wrong, calls: round.calls, left: remains(round.id) }];
    });
    expect(failed.slice(0, 3)).toEqual([]);
    expect(await brokenChecks()).toEqual([]);

    expect(unmet()).toEqual([]);
  },
  600_000,
);
