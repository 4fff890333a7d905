import type { LiveNode } from '../nodes/index.ts';
import type { Trigger } from '../triggers/index.ts';

/**
 * A graph as published: nothing is missing, every `next` names an existing node, and the messages are compiled. Runs
 * read this and nothing else.
 */
export interface LiveGraph {
  readonly trigger: Trigger & { readonly next: string };
  readonly nodes: Readonly<Record<string, LiveNode>>;
}
