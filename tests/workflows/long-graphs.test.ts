import { afterAll, beforeAll, expect, test } from 'vitest';
import { performer, type Perform } from '../../src/catalogue/perform.ts';
import { createWorkflow } from '../../src/domain/workflows/record/create-workflow.ts';
import { updateWorkflow } from '../../src/domain/workflows/record/update-workflow.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { callerOf } from '../queries/caller-of.ts';
import { openCounted, type Counted } from '../queries/count-queries.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();
let counted: Counted;
let perform: Perform;
let org: TestOrg;

beforeAll(async () => {
  counted = openCounted(world().databaseUrl);
  perform = performer(counted.database, keyring(world().config), mailSettings(world().config));
  org = await world().newOrg();
});
afterAll(() => counted?.close());

/** So many messages, one after another, each with a variable and a text of its own. */
function graphOf(messages: number): object {
  const nodes = Array.from({ length: messages }, (_, n) => ({
    id: `n${n}`,
    type: 'send_text',
    message_body: `Message ${n} for {{var_name}}`,
    variables: { var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'you' } },
    next: n + 1 < messages ? `n${n + 1}` : 'end',
  }));
  return {
    trigger: { type: 'webinar_registration', next: 'n0' },
    nodes: [...nodes, { id: 'end', type: 'end' }],
  };
}

/** What a call asked the database. */
async function asked(operation: AnyOperation, input: object): Promise<readonly string[]> {
  const caller = callerOf(org, world().clock.now());
  const { statements } = await counted.count(() => perform(operation as never, caller, input));
  return statements;
}

test('a workflow of many messages asks no more than one of two', async () => {
  const two = await asked(createWorkflow, { name: 'Two', graph: graphOf(2) });
  const many = await asked(createWorkflow, { name: 'Many', graph: graphOf(12) });
  expect(many).toEqual(two);
});

test('a change of a workflow reads its graph once', async () => {
  const { body } = await org.rest('POST /v1/workflows', { name: 'Long', graph: graphOf(3) });
  const { id, revision } = (body as { workflow: { id: string; revision: number } }).workflow;
  const statements = await asked(updateWorkflow, { workflow_id: id, graph: graphOf(4), revision });
  expect(statements.filter((one) => /^select (\*|.*"graph").* from "workflows"/.test(one))).toHaveLength(1);
});
