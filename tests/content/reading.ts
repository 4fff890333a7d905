import { randomUUID } from 'node:crypto';
import { beforeAll, expect } from 'vitest';
import type { Definition } from '../../src/domain/content/variables/definition.ts';
import { readValues } from '../../src/domain/content/variables/read-values.ts';
import type { TiedWebinar } from '../../src/domain/content/variables/source.ts';
import type { PersonId } from '../../src/kernel/ids.ts';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld, type World } from '../support/world.ts';
import { inOrg, newPropertyOrg } from './in-org.ts';

/** A definition as it is stored, that says NONE where there is no value. */
export const define = (variable: string, more: Partial<Definition> = {}): Definition => ({
  variable,
  fallback: 'NONE',
  template: '{{var}}',
  date_format: null,
  text_format: null,
  ...more,
});

type Row = Readonly<Record<string, string>>;

interface Reading {
  readonly world: World;
  readonly org: TestOrg;
  /** What the definitions give for these people in New York, a row for each; and how many queries that took. */
  read(
    people: readonly string[],
    definitions: Record<string, Definition>,
    more?: { webinar?: TiedWebinar; currency?: string },
  ): Promise<{ rows: Row[]; queries: number }>;
  newPeople(...columns: Record<string, unknown>[]): Promise<string[]>;
}

const occasion = { now: new Date('2026-01-15T14:30:00.000Z'), zone: 'America/New_York' };
const then = '2024-05-06T07:08:09.010Z';

/** An organization with four custom properties, and a way to read values of its people. */
export function useReading(): () => Reading {
  const world = useWorld();
  let org: TestOrg;
  beforeAll(async () => {
    org = await newPropertyOrg(world());
  });
  return () => ({
    world: world(),
    org,
    async read(people, definitions, { webinar, currency } = {}) {
      const { result, queries } = await inOrg(
        world(),
        org,
        (work) => readValues(work, people as PersonId[], definitions, webinar, occasion),
        currency,
      );
      expect([...result.keys()]).toEqual(people);
      return { rows: [...result.values()].map((values) => Object.fromEntries(values)), queries };
    },
    async newPeople(...columns) {
      const ids: string[] = [];
      for (const more of columns) {
        const row = { org_id: org.id, id: randomUUID(), created_at: then, updated_at: then, ...more };
        const places = Object.keys(row).map((_, at) => `$${at + 1}`);
        await world().admin.query(
          `insert into people (${Object.keys(row).join(', ')}) values (${places.join(', ')})`,
          Object.values(row),
        );
        ids.push(row.id);
      }
      return ids;
    },
  });
}
