import type { z } from 'zod';
import type { Permission, Power } from './caller.ts';

export type RestRoute = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /v1/${string}`;

/** One thing the service can do. Every face, the reference and the tests over the catalogue are made from it. */
export interface Operation<Context, Name extends string, In extends z.ZodObject, Out extends z.ZodObject> {
  /** Also the tool name and the OpenAPI operationId. */
  readonly name: Name;
  readonly title: string;
  /** What a person or a model reads to choose it and to use it well. */
  readonly summary: string;
  /** None: open to every caller, as far as no power is asked for. */
  readonly permission?: Permission;
  /** Asked of the caller beside the permission. */
  readonly power?: Power;
  /** add: nothing that was there changes; change: something may be overwritten; destroy: something is gone. */
  readonly effect: 'read' | 'add' | 'change' | 'destroy';
  /** Also done for an organization that is suspended, though it writes. */
  readonly evenSuspended?: true;
  /** Doing it again changes nothing more. */
  readonly repeatable?: true;
  /** Which rate limit it counts against, when its effect does not decide that. */
  readonly cost?: 'heavy';
  /** Needs much memory while it runs: a process runs few of these at once, and the others wait their turn. */
  readonly memory?: 'much';
  /** The first route is the one to document; a second serves the same. */
  readonly faces: { readonly rest: readonly [RestRoute, ...RestRoute[]]; readonly tool?: true };
  /** 201 instead of 200 over REST: this operation creates a record, always or when its answer says so. */
  readonly creates?: true | ((output: Record<string, unknown>) => boolean);
  /** A field of the answer that is a secret: a repeated request is answered with null there. */
  readonly shownOnce?: string;
  readonly input: In;
  /** Input fields only a caller with that power may send; others do not even see them. */
  readonly guarded?: Readonly<Record<string, Power>>;
  readonly output: Out;
  readonly handle: (work: Context, input: z.output<In>) => Promise<z.input<Out>>;
}

// `any` is the variance escape hatch: one list must hold unlike operations.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyOperation<Context = any> = Operation<Context, string, any, any>;
