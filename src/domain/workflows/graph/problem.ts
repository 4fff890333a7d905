import { z } from 'zod';

/** A reason why a draft cannot be published: where in create_workflow's input, and what to do about it. */
export const Problem = z
  .object({ pointer: z.string(), code: z.string(), message: z.string() })
  .meta({ id: 'WorkflowProblem' });
export type Problem = z.infer<typeof Problem>;

/** A node, or a field of it, as a JSON pointer into a request. */
export const placeOf = (node: number, field?: string): string =>
  `/graph/nodes/${node}${field === undefined ? '' : `/${field}`}`;
