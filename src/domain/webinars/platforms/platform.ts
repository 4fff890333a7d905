import type { z } from 'zod';
import type { Connector, ReportRow } from './connector.ts';

/** A field that an organization fills in to connect an account, as a form shows it. */
export interface CredentialField {
  readonly label: string;
  readonly kind: 'text' | 'password';
  /** Kept sealed, and never shown again. */
  readonly secret: boolean;
  /** The most characters it may have; 200 by default. */
  readonly longest?: number;
  /** What the reference says about it, besides that it is kept sealed. */
  readonly words: string;
}

/** Where the platform is, for all organizations: the operator may name a gateway to it. */
export interface PlatformSetting {
  readonly url: string;
  readonly words: string;
}

/** How many calls a platform takes at a time and in a day. */
export interface PlatformLimits {
  /** The most concurrent calls for one event. */
  readonly atOnce: number;
  /** After this many calls for one registrant, the next comes tomorrow (UTC). */
  readonly callsADay: number;
}

/** A platform's webhook: a participant joined, a host approved a registrant, or a question to answer at once. */
export type Heard =
  | { readonly what: 'joined'; readonly eventId: string; readonly row: ReportRow }
  | {
      readonly what: 'approved';
      readonly eventId: string;
      readonly externalId: string;
      readonly joinUrl: string;
    }
  | { readonly what: 'question'; readonly answer: object }
  /** Of another kind, or unreadable. */
  | { readonly what: 'nothing' };

export interface WebhookRequest {
  readonly headers: Readonly<Record<string, unknown>>;
  /** The bytes as they came. */
  readonly body: string;
}

export interface PlatformWebhook<Field extends string = string> {
  /** Whether the platform signed these very bytes for this account, and not long ago. */
  isSigned(request: WebhookRequest, credentials: Readonly<Record<Field, string>>, now: Date): boolean;
  read(body: string, credentials: Readonly<Record<Field, string>>): Heard;
}

/**
 * A webinar platform: everything the service must know about one, so that no other module names it. Its answers become
 * the outcomes in connector.ts.
 */
export interface Platform<Field extends string = string, Setting extends string = string> {
  /** As people call it. */
  readonly label: string;
  readonly settings: Readonly<Record<Setting, PlatformSetting>>;
  /** Includes account_id, which is not secret: sending it again means the same account with other credentials. */
  readonly credentials: Readonly<Record<Field | 'account_id', CredentialField>>;
  /** How a link names an event: what callers send, and what it becomes. */
  readonly event: {
    readonly schema: z.ZodType<string, string>;
    /** The most characters that may be sent. */
    readonly longest: number;
    readonly words: string;
  };
  readonly limits: PlatformLimits;
  connect(settings: Readonly<Record<Setting, string>>, options?: ConnectOptions): Connector<Field>;
  /** `none`: the platform sends no events that can be verified, and its report has the same facts later. */
  readonly webhook: PlatformWebhook<Field> | 'none';
}

export interface ConnectOptions {
  /** The limit for one request. */
  readonly timeoutMs?: number;
}
