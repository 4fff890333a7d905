import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type ServerProcess } from '../../benches/support/server-process.ts';
import { freePort } from '../../src/main/free-ports.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import {
  inputWith,
  newFurnished,
  readTableOf,
  type Furnished,
  type TableOf,
} from '../isolation/furnished-orgs.ts';
import { waysTo, type Way } from '../support/call-operation.ts';
import { tenantTables, type Ids } from '../support/furnish.ts';
import { variantsOf } from '../support/sample-input.ts';
import { Shooter, type Hit, type Shot } from '../support/shoot.ts';
import { TestOrg } from '../support/test-org.ts';
import { isLong, seed } from '../support/volume.ts';
import { useWorld } from '../support/world.ts';
import { messageShots, routeShots, toolShots, type Aim, type Fields } from './bad-shots.ts';
import { shipped } from '../../benches/support/shipped.ts';

/** In the gate one bad thing in a place: there are so many places that each kind of them comes up in several. */
const howMany = isLong
  ? { inOnePlace: 24, ofTheSame: Infinity, largeInOneOf: 1 }
  : { inOnePlace: 1, ofTheSame: 2, largeInOneOf: 9 };
/** Who hangs never answers; eight bodies of a megabyte at once are slow on a busy machine, and are answered. */
const patience = 40_000;
const atOnce = 8;
/** What eight bodies of a megabyte at once, parsed, may cost, beside what the allocator does not give back. */
const mostGrowth = 512_000_000;
const mostAnswered = 130_000; // the list of tools beside the longest id that is sent back

/** Sends these operations, over every face, whatever may be wrong with a request. */
export function sendBadInput(catalogue: readonly AnyOperation[], also: { messages: boolean }): void {
  const world = useWorld();
  let service: ServerProcess;
  let operatorPort: number;
  let shooter: Shooter;
  /** In the gate, those that delete nothing share one. */
  const sharesOrganization = ({ effect }: AnyOperation): boolean => !isLong && effect !== 'destroy';
  /** One organization an operation, so that what one deletes the next still finds. */
  const organizations = new Map<AnyOperation, Furnished>();
  let bystander: Furnished;
  let tableOf: TableOf;
  let aim: Aim;
  let memoryBefore: number;
  let firstTransaction: string;
  /** Request ids. */
  const accepted = new Set<string>();
  let acceptedWithKey = 0;

  // A process of its own, so that its memory is its own, it has no more heap than this and a crash is seen.
  beforeAll(async () => {
    const { ROSTRUM_SECRET, BODY_LIMIT_BYTES } = world().config;
    operatorPort = await freePort();
    service = await startServer(['--max-old-space-size=256', shipped, 'serve', 'api'], {
      DATABASE_URL: world().databaseUrl,
      ROSTRUM_SECRET,
      OPERATOR_PORT: String(operatorPort),
    });
    shooter = new Shooter(service.url, { atOnce, patience });
    bystander = await newServed();
    const shared = await newServed();
    for (const operation of catalogue)
      organizations.set(operation, sharesOrganization(operation) ? shared : await newServed());
    tableOf = await readTableOf(world());
    aim = { seed, ...howMany, bodyLimit: BODY_LIMIT_BYTES };
    for (let warm = 0; warm < 100; warm++) await bystander.org.tool('list_people');
    memoryBefore = await memory();
    const { rows } = await world().admin.query<{ now: string }>('select txid_current() as now');
    firstTransaction = rows[0]!.now;
  }, 300_000);
  afterAll(async () => {
    shooter.close();
    await service.stop();
  });

  /** A furnished organization whose calls go to that process. */
  async function newServed(): Promise<Furnished> {
    const { org, ids } = await newFurnished(world());
    return { org: new TestOrg(service.url, org.id, org.keyId, org.secret), ids };
  }

  async function memory(): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${operatorPort}/metrics`);
    return Number(/^process_resident_memory_bytes (\d+)/m.exec(await response.text())![1]);
  }

  /** Sends them all and tells of every answer that is neither an acceptance nor a proper refusal. */
  async function fire(caller: TestOrg, shots: Iterable<Shot>): Promise<string[]> {
    const wrong: string[] = [];
    const waiting = [...shots].values();
    const work = async (): Promise<void> => {
      for (const shot of waiting) {
        const headers = { authorization: caller.secret, 'auth-type': 'api', ...shot.headers };
        try {
          const hit = await shooter.shoot({ ...shot, headers });
          note(shot, hit);
          const fault = faultOf(hit);
          if (fault !== undefined) wrong.push(`${shot.label}: ${fault}`);
        } catch (error) {
          const { message } = error as Error;
          if (shot.mayBeCutOff !== true || message.includes('not answered')) wrong.push(message);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return wrong.length === 0 ? [] : [`${wrong.length} with SEED=${seed}`, ...wrong.slice(0, 20)];
  }

  function note(shot: Shot, { status, text, headers }: Hit): void {
    if (status >= 300 || text.includes('"isError":true')) return;
    accepted.add(String(headers['request-id']));
    if (shot.headers?.['idempotency-key'] !== undefined) acceptedWithKey += 1;
  }

  // The SDK of the tool endpoint calls wrong parameters of its own methods an internal error, and lists what is wrong.
  const sdkListsIssues = /"error":{"code":-32603,"message":"\[\\n/;

  // Whatever is refused is refused in our words, not the validator's.
  const notOurWords =
    /"detail":"[^"]*(Invalid (GUID|ISO|input|option|URL)|, received |Too (big|small):|see errors)/;

  function faultOf({ status, text }: Hit): string | undefined {
    if (text.length > mostAnswered) return `an answer of ${text.length} characters`;
    const said = `${status} ${text.slice(0, 300)}`;
    if (status >= 500) return said;
    if (/"code":("internal"|-32603)/.test(text) && !sdkListsIssues.test(text)) return said;
    if (notOurWords.test(text)) return said;
    if (status >= 400 && !/^{("type":"\/docs\/errors\/|"jsonrpc":"2.0")/.test(text)) return said;
    return undefined;
  }

  const fieldsOf = (ids: Ids, operation: AnyOperation, way: Way, variant: number): Fields =>
    Object.fromEntries(
      Object.entries(inputWith(ids, tableOf, operation, way, 'all', variant)).map(([name, value]) => [
        name,
        JSON.stringify(value),
      ]),
    );

  test.each(catalogue)(
    '$name refuses what it cannot take, over every face',
    { timeout: 300_000 },
    async (operation) => {
      const { org, ids } = organizations.get(operation)!;
      for (const way of waysTo(operation)) {
        for (let variant = 0; variant < variantsOf(operation); variant++) {
          const fields = fieldsOf(ids, operation, way, variant);
          const shots = way.name.startsWith('tool ')
            ? toolShots(aim, operation.name, fields)
            : routeShots(aim, way.name, fields);
          expect(await fire(org, shots)).toEqual([]);
        }
      }
    },
  );

  test.each(also.messages ? [messageShots] : [])(
    'messages that call no tool are refused',
    { timeout: 300_000 },
    async (shots) => {
      expect(await fire(bystander.org, shots(aim))).toEqual([]);
    },
  );

  test('after all of it every row was written by a call that was accepted', async () => {
    const { admin } = world();
    // Calls are counted and a key's use is noted whatever comes of the call; an answer may be kept that changed nothing.
    const apart = ['rate_windows', 'api_keys', 'idempotent_answers'];
    for (const table of (await tenantTables(admin)).filter((name) => !apart.includes(name))) {
      const { rows } = await admin.query<{ request_id: string | null }>(
        `select distinct l.request_id from ${table} t left join audit_log l on l.xmin = t.xmin
       where t.xmin::text::bigint >= $1`,
        [firstTransaction],
      );
      const strange = rows.filter(({ request_id }) => !accepted.has(String(request_id)));
      expect({ table, strange }).toEqual({ table, strange: [] });
    }
    const kept = await admin.query('select 1 from idempotent_answers where xmin::text::bigint >= $1', [
      firstTransaction,
    ]);
    expect(kept.rowCount).toBeLessThanOrEqual(acceptedWithKey);
    expect(accepted.size).toBeGreaterThan(0);
  });

  test('after all of it the service answers as before, in little more memory', async () => {
    expect(service.child.exitCode).toBe(null);
    const { org } = bystander;
    expect((await org.rest('GET /v1/people')).status).toBe(200);
    expect((await org.tool('list_people')).isError).toBe(false);
    expect(await org.person({ email: 'after@example.com' })).toMatch(/^[0-9a-f-]{36}$/);
    const growth = (await memory()) - memoryBefore;
    expect(growth).toBeLessThan(mostGrowth);
  });
}
