import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AnyTriggerType, TriggerTypes } from '../../src/domain/workflows/shape/trigger-type.ts';
import { triggerTypes } from '../../src/domain/workflows/triggers/index.ts';

type Name = keyof typeof triggerTypes;
const entries = Object.entries(triggerTypes) as [Name, AnyTriggerType][];

// `npm run types` proves this: an expected error that does not come is one.
test('a registry of triggers does not compile without one of them, or without a part of one', () => {
  const { event, ...others } = triggerTypes;
  // @ts-expect-error event is missing
  others satisfies TriggerTypes<Name>;
  const part: Omit<typeof event, 'columns'> = event;
  // @ts-expect-error columns is missing
  const lacking = { ...others, event: part } satisfies TriggerTypes<Name>;
  expect(Object.keys(lacking).toSorted()).toEqual(entries.map(([name]) => name).toSorted());
});

describe('every trigger', () => {
  test('has a file of its own, and every file is one', () => {
    const files = readdirSync(new URL('../../src/domain/workflows/triggers/', import.meta.url))
      .filter((file) => file !== 'index.ts')
      .map((file) => file.replace('.ts', '').replaceAll('-', '_'));
    expect(files.toSorted()).toEqual(entries.map(([name]) => name).toSorted());
  });

  test.each(entries)('%s has a form that names exactly the fields of its schema', (name, trigger) => {
    const { shape } = trigger.schema as unknown as { readonly shape: object };
    expect(trigger.type).toBe(name);
    expect(['type', ...Object.keys(trigger.fields)]).toEqual(Object.keys(shape));
  });
});
