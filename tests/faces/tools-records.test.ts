import { AjvJsonSchemaValidator } from 'sdk-v1/validation/ajv';
import type { JsonSchemaType } from 'sdk-v1/validation';
import { expect, test } from 'vitest';
import { operations } from '../../src/catalogue/operations.ts';
import { permissions } from '../../src/kernel/caller.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';

// A record that several tools answer with is told whole by the first of a list, and the others name that one.
const world = useWorld();

interface Tool {
  readonly name: string;
  readonly outputSchema: JsonSchemaType & { readonly $defs?: object };
}

const listOf = async (org: TestOrg): Promise<Tool[]> => (await org.rpc('tools/list', {})).result.tools;

const referrals = ({ outputSchema }: Tool): { record: string; teller: string }[] =>
  Array.from(JSON.stringify(outputSchema).matchAll(/(\w+), as in (\w+)\./g), ([, record, teller]) => ({
    record: record!,
    teller: teller!,
  }));

/** Referrals to a tool that comes later, tells nothing of it, or is not in this list at all. */
function dangling(tools: readonly Tool[]): string[] {
  const told = new Set<string>();
  return tools.flatMap((tool) => {
    const lost = referrals(tool).filter(({ record, teller }) => !told.has(`${record} ${teller}`));
    for (const record of Object.keys(tool.outputSchema.$defs ?? {})) told.add(`${record} ${tool.name}`);
    return lost.map(({ record, teller }) => `${tool.name}: ${record} in ${teller}`);
  });
}

test('no record is told twice in a list, and each is told before it is referred to', async () => {
  const tools = await listOf(await world().newOrg());
  const records = tools.flatMap(({ outputSchema }) => Object.keys(outputSchema.$defs ?? {}));
  expect(records).toEqual(expect.arrayContaining(['PersonSummary', 'Segment', 'Broadcast', 'Workflow']));
  expect(records.length).toBe(new Set(records).size);
  expect(tools.flatMap(referrals)).toContainEqual({ record: 'Broadcast', teller: 'create_broadcast' });
  expect(dangling(tools)).toEqual([]);
});

test('a key with one permission, or all but one, is referred to tools of its own list only', async () => {
  const org = await world().newOrg();
  for (const one of permissions) {
    for (const held of [[one], permissions.filter((other) => other !== one)]) {
      const tools = await listOf(await world().newKey(org, held));
      expect({ held, dangling: dangling(tools) }).toEqual({ held, dangling: [] });
    }
  }
});

test('a key that may schedule alone is told the broadcast by the first tool it has', async () => {
  const org = await world().newOrg();
  const tools = await listOf(await world().newKey(org, ['broadcasts.schedule']));
  expect(tools.find(({ outputSchema }) => 'Broadcast' in (outputSchema.$defs ?? {}))?.name).toBe(
    tools[0]!.name,
  );
});

/** As clients of the first SDK hold answers to schemas. */
const validator = new AjvJsonSchemaValidator();
const fits = ({ outputSchema }: Tool, answer: unknown): boolean =>
  validator.getValidator(outputSchema)(answer).valid;

test('every schema of a list stands by itself: all it refers to is inside it', async () => {
  const tools = await listOf(await world().newOrg());
  const offered = (operations as readonly AnyOperation[]).filter(({ faces }) => faces.tool === true);
  expect(tools.map(({ name }) => name)).toEqual(offered.map(({ name }) => name));
  for (const { outputSchema } of tools) expect(() => validator.getValidator(outputSchema)).not.toThrow();
  const torn = { properties: { broadcast: { $ref: '#/$defs/Broadcast' } } };
  expect(() => validator.getValidator(torn)).toThrow(/Broadcast/);
});

test('an answer whose record is told elsewhere is the same record, and fits the schema of its tool', async () => {
  const org = await world().newOrg();
  const update = (await listOf(org)).find(({ name }) => name === 'update_broadcast')!;
  const made = await org.tool('create_broadcast', { audience: 'everyone', subject: 'Hello' });
  const broadcast_id = made.body.broadcast.id;
  const changed = await org.tool('update_broadcast', { broadcast_id, subject: 'Hello again' });
  expect(Object.keys(changed.body.broadcast)).toEqual(Object.keys(made.body.broadcast));
  expect(fits(update, changed.body)).toBe(true);
  const refused = await org.tool('update_broadcast', { broadcast_id, subject: '' });
  expect(refused.isError && fits(update, refused.body)).toBe(true);
  expect(fits(update, { broadcast: 'none' })).toBe(false);
});
