import { sql } from 'kysely';
import { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import { Failure } from '../../../kernel/failure.ts';
import { SentCondition, type StoredCondition } from '../../filters/condition.ts';
import { whereMember, type PeopleQuery } from '../../filters/filter-to-sql.ts';
import { acceptFilters, readFilters, warningsOf } from '../../filters/read-filters.ts';
import {
  asWritten,
  needsNoWebinar,
  nobodyWaits,
  noCounts,
  noSenders,
  onlySteps,
  sendsNothing,
  setsNothing,
  writesNothing,
  takesNoTime,
} from '../shape/empty-parts.ts';
import { Next, NodeId, required } from '../shape/node-fields.ts';
import type { NodeRun } from '../shape/node-run.ts';
import { checkProblems, type Judged, type NodeProblem, type NodeType } from '../shape/node-type.ts';
import { splitBy } from '../shape/split.ts';

const schema = z.strictObject({
  id: NodeId,
  type: z.literal('condition_split'),
  filters: z.array(SentCondition).min(1).max(20).describe('As in create_segment: all must hold.'),
  yes: Next,
  no: Next,
});

interface Accepted {
  readonly filters: readonly StoredCondition[];
}

interface LiveConditionSplit extends Accepted {
  readonly type: 'condition_split';
  readonly yes: string;
  readonly no: string;
}

type Deed = 'yes' | 'no';

const run: NodeRun<LiveConditionSplit, Deed> = {
  type: 'condition_split',
  deeds: { yes: 'All conditions held.', no: 'A condition did not hold.' },
  ask: async (work, { filters }, _, people) => {
    const { conditions } = await readFilters(work, filters);
    const asked: PeopleQuery = work.db
      .selectFrom('people')
      .where('people.org_id', '=', work.org)
      .where('people.id', '=', sql<string>`any(${people}::uuid[])`);
    const rows = await whereMember(work, asked, conditions).select('people.id').execute();
    return new Set(rows.map(({ id }) => id));
  },
  enter: async ({ yes, no }, travellers, { holds }) =>
    splitBy(await holds(), travellers, { did: 'yes', to: yes }, { did: 'no', to: no }),
  leave: nobodyWaits,
  sets: setsNothing,
  write: writesNothing,
  send: sendsNothing,
  simulate: onlySteps,
  counts: noCounts,
};

export const conditionSplit: NodeType<typeof schema, Accepted, LiveConditionSplit, Deed> = {
  type: 'condition_split',
  label: 'Split by condition',
  fields: {
    filters: { label: 'Conditions', kind: 'filters' },
    yes: { label: 'All hold', kind: 'node' },
    no: { label: 'Otherwise', kind: 'node' },
  },
  schema,
  edges: [
    { field: 'yes', needed: true },
    { field: 'no', needed: true },
  ],
  leastMinutes: takesNoTime,
  webinarPointer: needsNoWebinar,
  senders: noSenders,
  normalize: asWritten,
  accept: (work, { filters }) => accept(work, filters),
  problems: checkProblems((_, { filters }) => filters ?? [], findProblems),
  compile: ({ type, yes, no }, { filters }) => ({
    type,
    filters: required(filters),
    yes: required(yes),
    no: required(no),
  }),
  run,
};

async function accept(work: Work, filters: Parameters<typeof acceptFilters>[1]): Promise<Judged<Accepted>> {
  try {
    const { stored } = await acceptFilters(work, filters);
    return { accepted: { filters: JSON.parse(stored) as StoredCondition[] }, errors: [] };
  } catch (error) {
    if (error instanceof Failure && error.extras.errors !== undefined) return { errors: error.extras.errors };
    throw error;
  }
}

async function findProblems(
  work: Work,
  splits: readonly (readonly StoredCondition[])[],
): Promise<NodeProblem[][]> {
  const warnings = await warningsOf(work, splits);
  return warnings.map((found) =>
    found.map(({ pointer, code, detail }) => ({ pointer, code, message: detail })),
  );
}
