import { beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '../../src/durable/sweep.ts';
import { newWebinar, setWebinar } from '../support/broadcast.ts';
import type { TestOrg } from '../support/test-org.ts';
import { registerFor } from '../support/webinar.ts';
import { inLine, liveWorkflow, onRegistration, readWorkflow } from '../support/workflow.ts';
import { useWorld } from '../support/world.ts';
import type { Json } from './graph-ways.ts';

const world = useWorld();
let org: TestOrg;
let id: string;
let webinars: string[];
let people: string[];

/** Two webinars with three registrants each; the first of either webinar has come to its end. */
beforeAll(async () => {
  org = await world().newOrg();
  id = await liveWorkflow(
    org,
    inLine(onRegistration(), { id: 'w', type: 'wait', anchor: 'start', offset_minutes: -60 }),
  );
  webinars = [await newWebinar(world(), org), await newWebinar(world(), org)];
  people = [];
  for (const webinar of webinars) {
    for (const name of ['a', 'b', 'c'])
      people.push((await registerFor(org, webinar, { email: `${name}-${webinar}@example.com` })).org_user_id);
  }
  const ended = [people[0], people[3]];
  await world().admin.query(
    'delete from waits w using workflow_runs r where r.id = w.run_id and r.person_id = any($1)',
    [ended],
  );
  await world().admin.query(
    `update workflow_runs set state = 'ended', ended_at = now(), outcome = 'completed',
       path = '[{"node": "w", "at": "2026-01-01T10:00:00+00:00", "did": "waited"}]' where person_id = any($1)`,
    [ended],
  );
});

const list = async (query: Record<string, string | number> = {}): Promise<Json> => {
  const words = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  );
  const { status, body } = await org.rest(`GET /v1/workflows/${id}/runs?${words.toString()}`);
  expect(status).toBe(200);
  expect((await org.tool('list_workflow_runs', { workflow_id: id, ...query })).body).toEqual(body);
  return body;
};
const whose = ({ runs }: Json): string[] => runs.map(({ person_id }: Json) => person_id);

describe('the runs of a workflow', () => {
  test('are listed the latest first, in pages, with their total', async () => {
    const latest = people.toReversed();
    expect(whose(await list())).toEqual(latest);
    expect(await list({ limit: 2, offset: 1 })).toMatchObject({ total: 6, limit: 2, offset: 1 });
    expect(whose(await list({ limit: 2, offset: 1 }))).toEqual(latest.slice(1, 3));
  });

  test.each([
    [{ state: 'running' }, [5, 4, 2, 1]],
    [{ state: 'ended' }, [3, 0]],
    [{ person_id: 1 }, [1]],
    [{ person_id: 1, state: 'ended' }, []],
    [{ person_id: 3, state: 'ended' }, [3]],
    [{ webinar_id: 0 }, [2, 1, 0]],
    [{ webinar_id: 1, state: 'running' }, [5, 4]],
    [{ webinar_id: 1, state: 'ended' }, [3]],
    [{ webinar_id: 1, person_id: 0 }, []],
  ])(
    'are found by %j, and counted as they are listed',
    async (asked: Record<string, string | number>, found) => {
      const query = {
        ...asked,
        ...('person_id' in asked && { person_id: people[asked['person_id'] as number]! }),
        ...('webinar_id' in asked && { webinar_id: webinars[asked['webinar_id'] as number]! }),
      };
      const page = await list(query);
      expect(whose(page)).toEqual(found.map((at) => people[at]));
      expect(page.total).toBe(found.length);
    },
  );

  test('are counted in the workflow, in all and where they wait', async () => {
    const { counts, nodes } = await readWorkflow(org, id);
    expect(counts).toEqual({ running: 4, ended: 2 });
    expect(nodes).toEqual([
      { id: 'trigger', waiting: 4, messages: null },
      { id: 'w', waiting: 0, messages: null },
      { id: 'done', waiting: 0, messages: null },
    ]);
  });

  test('stay counted when steps are folded, and not any more when their person is deleted', async () => {
    const other = await world().newOrg();
    const flow = await liveWorkflow(other, inLine(onRegistration()));
    const webinar = await newWebinar(world(), other);
    const known: string[] = [];
    for (let n = 0; n < 25; n++)
      known.push((await registerFor(other, webinar, { email: `p${n}@example.com` })).org_user_id);
    const total = async () =>
      (await other.rest(`GET /v1/workflows/${flow}/runs?limit=1`)).body.total as number;
    const steps = async () => {
      const query = 'select count(*)::int as n from workflow_run_counts where org_id = $1';
      return (await world().admin.query(query, [other.id])).rows[0].n as number;
    };
    expect([await total(), await steps()]).toEqual([25, 25]);
    await sweep(world().database, world().clock.now());
    expect([await total(), await steps()]).toEqual([25, 1]);
    for (const person of known.slice(0, 3))
      expect((await other.rest(`DELETE /v1/people/${person}`)).status).toBe(200);
    expect(await total()).toBe(22);
  });
});

describe('one run', () => {
  const read = async (run: string): Promise<Json> => {
    const { status, body } = await org.rest(`GET /v1/workflow-runs/${run}`);
    expect(status).toBe(200);
    expect((await org.tool('get_workflow_run', { run_id: run })).body).toEqual(body);
    return body.run;
  };
  const runOf = async (person: string): Promise<Json> => (await list({ person_id: person })).runs[0];

  test('says where it waits and until when, by the webinar’s time as it is now', async () => {
    const { id: run } = await runOf(people[1]!);
    const { admin } = world();
    await admin.query(
      `update waits set node = 'w', due_at = null, anchor = 'end', offset_ms = -600000 where run_id = $1`,
      [run],
    );
    for (const [start_time, duration_minutes, until] of [
      ['2030-01-01T10:00:00Z', null, '2030-01-01T10:50:00.000Z'],
      ['2030-01-02T10:00:00Z', 30, '2030-01-02T10:20:00.000Z'],
    ] as const) {
      await setWebinar(world(), webinars[0]!, { start_time, duration_minutes });
      expect((await read(run)).waiting).toEqual({ node: 'w', until, held: false });
    }
    await admin.query(`update waits set anchor = 'start' where run_id = $1`, [run]);
    expect((await read(run)).waiting.until).toBe('2030-01-02T09:50:00.000Z');
    expect((await runOf(people[1]!)).waiting.until).toBe('2030-01-02T09:50:00.000Z');
  });

  test('that has ended says how, and where it has been', async () => {
    const { id: run } = await runOf(people[0]!);
    expect(await read(run)).toMatchObject({
      workflow_id: id,
      version: 1,
      person_id: people[0],
      webinar_id: webinars[0],
      state: 'ended',
      outcome: 'completed',
      waiting: null,
      path: [{ node: 'w', at: '2026-01-01T10:00:00.000Z', did: 'waited' }],
    });
  });
});
