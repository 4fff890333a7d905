import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Work } from '../../src/database/work.ts';
import { findProblems } from '../../src/domain/workflows/graph/find-problems.ts';
import { nodeTypes } from '../../src/domain/workflows/nodes/index.ts';
import { releaseDue } from '../../src/domain/workflows/runs/release.ts';
import { requireWorkflow } from '../../src/domain/workflows/graph/workflow-rows.ts';
import type { WorkflowId } from '../../src/kernel/ids.ts';
import { openCounted, type Counted } from '../queries/count-queries.ts';
import { inService } from '../support/in-service.ts';

import { newSendingOrg } from '../support/reader-rows.ts';
import type { TestOrg } from '../support/test-org.ts';
import { inLine, liveWorkflow, newWorkflow, onRegistration, emailNode } from '../support/workflow.ts';
import { useWorld } from '../support/world.ts';
import { register, webinarIn } from './course.ts';

const world = useWorld();
let org: TestOrg;
let sender_id: unknown;
let counted: Counted;

beforeAll(async () => {
  counted = openCounted(world().databaseUrl);
  org = await newSendingOrg(world());
  await org.tool('create_property_config', { key: 'journey', name: 'Journey', type: 'string' });
  await org.rest('PUT /v1/sms-number', { number: '+15550001111' });
  sender_id = (await emailNode(world(), org, 'any'))['sender_id'];
});
afterAll(() => counted?.close());

/** What is asked in one transaction, lists of values as if they had one. */
async function statementsOf(handle: (work: Work) => Promise<unknown>): Promise<readonly string[]> {
  const service = { ...world(), database: counted.database };
  const { statements } = await counted.count(() => inService(service, org, handle));
  return statements.map((text) => text.replaceAll(/\$\d+(, \$\d+)*/g, '$'));
}

/** A stretch of nodes of every type but end. */
const everyType = async (name: string, next: string) => [
  {
    id: `${name}-ask`,
    type: 'condition_split',
    filters: [{ custom_property_key: 'journey', op: 'is_empty' }],
    yes: `${name}-set`,
    no: `${name}-mail`,
  },
  { id: `${name}-set`, type: 'set_property', key: 'journey', value: name },
  await emailNode(world(), org, `${name}-mail`, { sender_id }),
  { id: `${name}-text`, type: 'send_text', message_body: 'Hello' },
  { id: `${name}-came`, type: 'attendance_split', attended: `${name}-wait`, no_show: `${name}-wait` },
  { id: `${name}-wait`, type: 'wait', duration_minutes: 60, next },
];

test('a release asks the same of the database for forty runs as for two, at every type of node', async () => {
  const asked = [];
  for (const count of [2, 40]) {
    const webinar = await webinarIn(org, 48);
    const graph = inLine(onRegistration(webinar.id), ...(await everyType('a', 'done')));
    expect(new Set(graph.nodes.map(({ type }) => type))).toEqual(new Set(Object.keys(nodeTypes)));
    await liveWorkflow(org, graph);
    for (let registrant = 0; registrant < count; registrant++) await register(org, webinar.id);
    asked.push(
      await statementsOf(async (work) => {
        const { released } = await releaseDue(work, webinar.id, { most: 100 });
        expect(released).toBe(count);
      }),
    );
  }
  expect(asked[1]).toEqual(asked[0]);
  expect(asked[0]).toHaveLength(32);
});

test('problems are found in as many queries for a long draft as for a short one', async () => {
  const asked = [];
  for (const stretches of [['a'], ['a', 'b', 'c', 'd']]) {
    const nodes = await Promise.all(
      stretches.map((name, at) =>
        everyType(name, at + 1 < stretches.length ? `${stretches[at + 1]}-ask` : 'done'),
      ),
    );
    const { id } = await newWorkflow(org, inLine(onRegistration(), ...nodes.flat()));
    asked.push(
      await statementsOf(async (work) => {
        const { graph } = await requireWorkflow(work, id as WorkflowId);
        expect(await findProblems(work, graph)).toEqual([]);
      }),
    );
  }
  expect(asked[1]).toEqual(asked[0]);
});
