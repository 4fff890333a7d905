import type { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import type { Sources } from '../../content/variables/sources.ts';
import type { FieldError } from '../../../kernel/failure.ts';
import type { SenderId } from '../../../kernel/ids.ts';
import type { FormField } from './node-fields.ts';
import type { AnyNodeRun, LiveBase, NodeRun } from './node-run.ts';

export interface DraftBase {
  readonly id: string;
  readonly type: string;
}

/**
 * Everything the service knows about one type of node, in a file of `nodes/`. No part is optional: a type that has no
 * use for one takes a constant from `empty-parts.ts`.
 *
 * Parts are methods because TypeScript compares method parameters both ways, which lets `nodes/index.ts` treat all
 * types alike.
 */
export interface NodeType<
  Schema extends z.ZodType<DraftBase>,
  Accepted extends object,
  Live extends LiveBase,
  Deed extends string,
  Draft extends DraftBase = z.output<Schema>,
  Field extends string = Exclude<keyof Draft & string, keyof DraftBase>,
> {
  readonly type: Draft['type'];
  readonly label: string;
  /** What a form asks for: every field of the schema but id and type. */
  readonly fields: Readonly<Record<Field, FormField>>;
  /** The node in a draft. */
  readonly schema: Schema;
  /** The fields that name a next node. Without a needed one the node is a dead end. */
  readonly edges: readonly EdgeField<Field>[];
  /** The fewest minutes a run spends here, whenever it arrives. */
  leastMinutes(node: Draft): number;
  /** A pointer, relative to the node, to what asks about the run's webinar; undefined if nothing does. */
  webinarPointer(node: Draft): string | undefined;
  /** The senders it names. They must exist, and stay while a published workflow uses them. */
  senders(node: Draft): readonly SenderId[];
  /** The node as stored, where callers can write one value in several ways. */
  normalize(node: Draft): Draft;
  /** Checks the content when a draft is written, and returns what to store beside the node. */
  accept(work: Work, node: Draft, draft: Drafting<Draft, Accepted>): Promise<Judged<Accepted>>;
  /** What prevents publishing it as things stand now. */
  readonly problems: ProblemCheck<Draft, Accepted>;
  /** The node as runs read it, in a graph without problems. */
  compile(node: Draft, accepted: Partial<Accepted>): Live;
  /** What runs do with it. */
  readonly run: NodeRun<Live, Deed>;
}

export interface EdgeField<Field extends string = string> {
  readonly field: Field;
  readonly needed: boolean;
}

/** The context of a node that is being accepted. */
export interface Drafting<Draft, Accepted> {
  /** Whether the workflow's runs have a webinar. */
  readonly webinar: boolean;
  /** What variables can read, read once for all nodes. */
  readonly sources: () => Promise<Sources>;
  /** The node of this id and type in the stored draft. */
  readonly before: { readonly node: Draft; readonly accepted: Partial<Accepted> } | undefined;
}

/** The result of accepting a node; pointers are relative to the node. */
export interface Judged<Accepted> {
  readonly accepted?: Accepted;
  readonly errors: readonly FieldError[];
}

export interface NodeProblem {
  /** Relative to the node. */
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** Returns the problems of each of many nodes. */
export type FindProblems<Asked> = {
  find(
    work: Work,
    asked: readonly Asked[],
    graph: { readonly webinar: boolean },
  ): Promise<readonly (readonly NodeProblem[])[]>;
}['find'];

/**
 * `find` is called once for all nodes of all types that share it, so that its queries do not grow with the graph.
 * `about` returns what it needs to know about each node.
 */
export interface ProblemCheck<Draft, Accepted> {
  about(node: Draft, accepted: Partial<Accepted>): unknown;
  readonly find: FindProblems<unknown>;
}

/** Builds a check whose two halves agree on the type of what is asked. */
export const checkProblems = <Draft, Accepted, Asked>(
  about: (node: Draft, accepted: Partial<Accepted>) => Asked,
  find: (...given: Parameters<FindProblems<Asked>>) => ReturnType<FindProblems<Asked>>,
): ProblemCheck<Draft, Accepted> => ({ about, find: find as FindProblems<unknown> });

/** Any type of node, for code that treats all alike. */
export type AnyNodeType<Type extends string = string> = Omit<
  NodeType<z.ZodType<DraftBase>, object, LiveBase, string, DraftBase & { readonly type: Type }, string>,
  'run'
> & { readonly run: AnyNodeRun };

/** A registry of all these types, each complete and under its own name. */
export type NodeTypes<Name extends string> = { readonly [Type in Name]: AnyNodeType<Type> };
