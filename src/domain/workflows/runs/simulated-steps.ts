import { z } from 'zod';
import { MomentOut } from '../../../kernel/moment.ts';
import type { LiveGraph } from '../graph/live-graph.ts';
import { deeds, liveTypes } from '../nodes/index.ts';
import type { Step } from './walk.ts';

export const SimulatedStep = z
  .object({
    at: MomentOut,
    node: z.string(),
    type: z.enum(liveTypes),
    did: z.enum(deeds).describe('added: its message would come into the ledger.'),
  })
  .meta({ id: 'SimulatedStep' });

/** One person's way, step by step. */
export const toSteps = (graph: LiveGraph, steps: readonly Step[]): z.input<typeof SimulatedStep>[] =>
  steps.map((step) => ({
    at: step.at.toISOString(),
    node: step.node,
    type: graph.nodes[step.node]!.type,
    did: step.did,
  }));
