import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AnyNodeRun } from '../../src/domain/workflows/shape/node-run.ts';
import type { AnyNodeType, NodeTypes } from '../../src/domain/workflows/shape/node-type.ts';
import { nodeTypes } from '../../src/domain/workflows/nodes/index.ts';

type Name = keyof typeof nodeTypes;
const entries = Object.entries(nodeTypes) as [Name, AnyNodeType][];

/** The parts that an object could do without. */
type Optional<Whole> = { [Part in keyof Whole]: Omit<Whole, Part> extends Whole ? Part : never }[keyof Whole];

function without<Whole extends object, Part extends keyof Whole>(
  whole: Whole,
  part: Part,
): Omit<Whole, Part> {
  const rest = { ...whole };
  delete rest[part];
  return rest;
}

// `npm run types` proves these: an expected error that does not come is one.
describe('a registry of nodes does not compile', () => {
  test('without one of the types', () => {
    const others = without(nodeTypes, 'set_property');
    // @ts-expect-error set_property is missing
    others satisfies NodeTypes<Name>;
    expect(Object.keys(others)).toHaveLength(entries.length - 1);
  });

  test('with a type that lacks a part, for drafts or for runs', () => {
    const uncompiled = without(nodeTypes.set_property, 'compile');
    // @ts-expect-error compile is missing
    ({ ...nodeTypes, set_property: uncompiled }) satisfies NodeTypes<Name>;
    const unentered = { ...nodeTypes.set_property, run: without(nodeTypes.set_property.run, 'enter') };
    // @ts-expect-error enter is missing
    ({ ...nodeTypes, set_property: unentered }) satisfies NodeTypes<Name>;
    expect(uncompiled).not.toHaveProperty('compile');
    expect(unentered.run).not.toHaveProperty('enter');
  });

  test('as no part is optional', () => {
    const optional = [
      {} satisfies Record<Optional<AnyNodeType>, true>,
      {} satisfies Record<Optional<AnyNodeRun>, true>,
    ];
    expect(optional.flatMap((parts) => Object.keys(parts))).toEqual([]);
  });

  test('with a type under the name of another', () => {
    // @ts-expect-error end is no wait
    const swapped = { ...nodeTypes, wait: nodeTypes.end } satisfies NodeTypes<Name>;
    expect(swapped.wait.type).toBe('end');
  });

  test('with a form that leaves a field out', () => {
    const fields = without(nodeTypes.set_property.fields, 'next');
    // @ts-expect-error next is missing
    const lacking: typeof nodeTypes.set_property = { ...nodeTypes.set_property, fields };
    expect(Object.keys(lacking.fields)).toEqual(['key', 'value']);
  });
});

describe('every type of node', () => {
  test('has a file of its own, and every file is one', () => {
    const files = readdirSync(new URL('../../src/domain/workflows/nodes/', import.meta.url))
      .filter((file) => file !== 'index.ts')
      .map((file) => file.replace('.ts', '').replaceAll('-', '_'));
    expect(files.toSorted()).toEqual(entries.map(([name]) => name).toSorted());
  });

  test.each(entries)('%s is registered under its own name and has words', (name, { type, label, run }) => {
    expect(type).toBe(name);
    expect(label).toMatch(/^[A-Z]/);
    for (const words of Object.values(run.deeds)) expect(words).toMatch(/^[A-Z].*\.$/);
  });

  test.each(entries)('%s has a form that names exactly the fields of its schema', (_, { fields, schema }) => {
    const { shape } = schema as unknown as { readonly shape: object };
    expect(['id', 'type', ...Object.keys(fields)]).toEqual(Object.keys(shape));
    for (const { label } of Object.values(fields)) expect(label).toMatch(/^[A-Z]/);
  });

  test.each(entries)('%s has a form that asks for a node where an edge is', (_, { fields, edges }) => {
    const asked = Object.entries(fields).filter(([, { kind }]) => kind === 'node');
    expect(asked.map(([field]) => field)).toEqual(edges.map(({ field }) => field));
  });
});

test('what a path says tells which type of node it was', () => {
  const runs = new Set(entries.map(([, { run }]) => run));
  const deeds = [...runs].flatMap((run) => Object.keys(run.deeds));
  expect(new Set(deeds).size).toBe(deeds.length);
});

test('emails and texts are checked together, in one set of queries', () => {
  expect(nodeTypes.send_email.problems.find).toBe(nodeTypes.send_text.problems.find);
});
