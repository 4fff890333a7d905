import type { z } from 'zod';
import type { IsCrowded } from '../kernel/breather.ts';
import type { Caller } from '../kernel/caller.ts';
import type { OrgId } from '../kernel/ids.ts';
import type { Operation } from '../kernel/operation.ts';
import type { Sealer } from '../kernel/sealer.ts';
import type { Database } from './pool.ts';

/** The keys the service works with, as what they are for. */
export interface Keyring {
  /** A keyed hash, for remembering an address without keeping it. */
  readonly hashAddress: (address: string) => Buffer;
  /** By every secret there was: what was remembered under an older one is still known. */
  readonly hashesOfAddress: (address: string) => readonly Buffer[];
  /** For secrets that are kept in the database. */
  readonly stored: Sealer;
  /** Seals what callers hold and send back, such as the token of a plan. */
  readonly tokens: Sealer;
  /** A keyed hash for a purpose: proves that a value was made here and not changed. */
  readonly mac: (purpose: string, data: Buffer) => Buffer;
  /** By every secret there was, for judging one that comes back. */
  readonly macs: (purpose: string, data: Buffer) => readonly Buffer[];
}

/** What the mail of this installation goes through. */
export interface MailSettings {
  /** Where bounces come back to: every sending domain points there. */
  readonly returnPathHost: string;
  /** Where people may write to us; nothing, while no host of this installation's own is set. */
  readonly inboundHost?: string | undefined;
  /** Where recipients reach this installation: links, pictures and unsubscribing. Without a slash at the end. */
  readonly publicUrl: string;
}

/** Mail from the installation itself to somebody who uses it. */
export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** What an operation works with: a transaction inside one organization, the caller and the moment. */
export interface Work {
  readonly db: Database;
  readonly org: OrgId;
  /** The moment of this call by the organization's clock. Only the code that moves that clock may change it. */
  now: Date;
  readonly caller: Caller;
  /** Ids for the audit row; `reason` is kept beside them. */
  readonly touched: Record<string, string | readonly string[]>;
  reason?: string;
  /** Mail that goes out once everything is committed. */
  readonly letters?: Letter[];
  readonly keys: Keyring;
  readonly mail: MailSettings;
  /** For long work: it gives way to others while there are any. */
  readonly isCrowded?: IsCrowded | undefined;
}

export const defineOperation = <const Name extends string, In extends z.ZodObject, Out extends z.ZodObject>(
  operation: Operation<Work, Name, In, Out>,
): Operation<Work, Name, In, Out> => operation;
