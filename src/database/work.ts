import type { z } from 'zod';
import type { Caller } from '../kernel/caller.ts';
import type { OrgId } from '../kernel/ids.ts';
import type { Operation } from '../kernel/operation.ts';
import type { Database } from './pool.ts';

/** What an operation is handed: a transaction inside one organization, and who asks at which moment. */
export interface Work {
  readonly db: Database;
  readonly org: OrgId;
  readonly now: Date;
  readonly caller: Caller;
  /** Ids for the audit row; `reason` is kept beside them. */
  readonly touched: Record<string, string | readonly string[]>;
  reason?: string;
  /** A keyed hash, for remembering an address without keeping it. */
  readonly hashAddress: (address: string) => Buffer;
}

export const defineOperation = <const Name extends string, In extends z.ZodObject, Out extends z.ZodObject>(
  operation: Operation<Work, Name, In, Out>,
): Operation<Work, Name, In, Out> => operation;
