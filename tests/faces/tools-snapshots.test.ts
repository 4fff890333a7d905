import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedPeople } from '../../src/main/seed-people.ts';
import { isAccepted, readSnapshots, writeSnapshots } from '../support/snapshots.ts';
import { useWorld } from '../support/world.ts';

const folder = join(import.meta.dirname, '../tools.snap');
const mostTokens = 25_000;

interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema: Record<string, unknown>;
  readonly annotations: Record<string, boolean>;
}

const world = useWorld();
let list: { tools: Tool[] };

beforeAll(async () => {
  const org = await world().newOrg();
  list = (await org.rpc('tools/list', {})).result;
  if (isAccepted) writeSnapshots(folder, new Map(list.tools.map((tool) => [fileOf(tool), toSnapshot(tool)])));
});

// Callers read a tool's name, words and schemas. After a change that is meant, look at the difference and commit it.
const update = 'to accept: UPDATE_SNAPSHOTS=1 npx vitest run tests/faces/tools-snapshots.test.ts';

test(`every tool has a snapshot in tests/tools.snap, and there is no other (${update})`, () => {
  expect(list.tools.length).toBeGreaterThan(0);
  expect([...readSnapshots(folder).keys()]).toEqual(list.tools.map(fileOf).toSorted());
});

test(`every tool is what its snapshot says (${update})`, () => {
  const now = new Map(list.tools.map((tool) => [fileOf(tool), toSnapshot(tool)]));
  const differing = [...readSnapshots(folder)].filter(
    ([file, text]) => now.has(file) && now.get(file) !== text,
  );
  expect(differing.map(([file]) => now.get(file))).toEqual(differing.map(([, text]) => text));
});

describe('tools are fit for the models that read them', () => {
  test('no input schema has a choice at its root, which some clients refuse', () => {
    const choices = list.tools.filter(({ inputSchema }) =>
      ['anyOf', 'oneOf', 'allOf'].some((word) => word in inputSchema),
    );
    expect(choices.map(({ name }) => name)).toEqual([]);
    expect(list.tools.filter(({ inputSchema }) => inputSchema['type'] !== 'object')).toEqual([]);
  });

  test('no description is longer than 600 characters, and none is empty', () => {
    const wrong = list.tools.filter(({ description }) => description.length < 1 || description.length > 600);
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test('the whole list costs less than 25,000 tokens', () => {
    expect(countTokens(JSON.stringify(list))).toBeLessThan(mostTokens);
  });
});

describe('a full page', () => {
  test.each([
    ['list_people', { limit: 200 }, 200],
    ['search_people', { query: 'example.com' }, 50],
    ['list_segment_members', { limit: 200 }, 200],
  ])('of %s costs at most 25,000 tokens, as text and as data', async (name, input, rows) => {
    const org = await world().newOrg();
    await seedPeople(world().database, { org: org.id, people: 250, now: world().clock.now() });
    const filters = [{ property: 'created_at', op: 'lte', value: 'now' }];
    const { body: made } = await org.tool('create_segment', { name: 'Everybody', filters });
    const segment = name === 'list_segment_members' && { segment_id: made.segment.id };
    const { text, body } = await org.tool(name, { ...input, ...segment });
    expect(body.people).toHaveLength(rows);
    expect(countTokens(text)).toBeLessThanOrEqual(mostTokens);
    expect(countTokens(JSON.stringify(body))).toBeLessThanOrEqual(mostTokens);
  });
});

const fileOf = ({ name }: Tool): string => `${name}.json`;

function toSnapshot(tool: Tool): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const reviewed = { name, title, description, inputSchema, outputSchema, annotations };
  return `${JSON.stringify(reviewed, null, 2)}\n`;
}
