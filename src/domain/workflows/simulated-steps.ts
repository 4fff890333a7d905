import { z } from 'zod';
import { MomentOut } from '../../kernel/moment.ts';
import type { DryRun } from './dry-run.ts';
import type { LiveGraph } from './live-graph.ts';
import { deeds } from './walk.ts';

export const SimulatedStep = z
  .object({
    at: MomentOut,
    node: z.string(),
    type: z.enum(['wait', 'attendance_split', 'condition_split', 'send', 'set_property', 'end']),
    did: z
      .enum(deeds)
      .describe('What the run would do there. added: its message would come into the ledger.'),
  })
  .meta({ id: 'SimulatedStep' });

/** One person's way, step by step. */
export const toSteps = (graph: LiveGraph, { steps }: DryRun, run: string): z.input<typeof SimulatedStep>[] =>
  (steps.get(run) ?? []).map((step) => ({
    at: step.at.toISOString(),
    node: step.node,
    type: graph.nodes[step.node]!.type,
    did: step.did,
  }));
