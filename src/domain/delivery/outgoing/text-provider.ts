import type { z } from 'zod';
import type { InboundText } from '../inbound/note-inbound-text.ts';
import type { ReceiptNews } from '../inbound/note-receipt.ts';
import type { TextProvider } from './outgoing.ts';

/** Callbacks for a provider with its own connection. The provider repeats a report until its callback resolves. */
export interface TextHearing {
  /** `receipt` is the provider's id of the text. */
  onReceipt(heard: { readonly receipt: string; readonly news: ReceiptNews }): Promise<void>;
  onText(text: InboundText): Promise<void>;
  /** Which provider failed and, briefly, how; never with an address or a password. */
  onTrouble(whom: string, what: string): void;
}

export interface TextWebhookRequest {
  readonly headers: Readonly<Record<string, unknown>>;
  /** The URL that the provider was given; a proxy may have changed the one we see. */
  readonly url: string;
  readonly body: string;
}

/** A URL that a provider calls. For receipts it has a :token, which names the text. */
export type TextWebhookRoute = {
  readonly path: `/webhooks/${string}`;
  /** Its name in logs and metrics. */
  readonly operation: string;
  readonly answer: { readonly status: number; readonly type?: string; readonly body?: string };
} & (
  | {
      readonly about: 'receipt';
      /** Undefined while the text is still under way. */
      read(body: string): ReceiptNews | undefined;
    }
  | { readonly about: 'text'; read(body: string): InboundText }
);

/** How a provider reports receipts and inbound texts. */
export type TextWayBack<Setting extends string = string> =
  | { readonly by: 'connection' }
  | {
      readonly by: 'webhook';
      /** The one content type it sends. */
      readonly takes: string;
      isSigned(request: TextWebhookRequest, settings: Readonly<Record<Setting, string>>): boolean;
      /** The error message for an unsigned request. */
      readonly unsigned: string;
      readonly routes: readonly TextWebhookRoute[];
    };

export interface TextLimits {
  /** Unanswered messages allowed at a time, in one process. */
  readonly atOnce: number;
  /** The time limit for one text, all waiting included: 30 seconds at most. */
  readonly giveUpMs: number;
}

export interface OpenText<Setting extends string = string> {
  readonly settings: Readonly<Record<Setting, string>>;
  /** Where this installation is reached. */
  readonly publicUrl: string;
  /** What a provider that calls us adds to our address, so that we know which route it is: nothing or ?route=…. */
  readonly query: string;
  readonly hearing: TextHearing;
}

/**
 * Everything the service must know about a provider of texts. Its answer to a text becomes one of the outcomes in
 * outgoing.ts; its later reports become receipts or inbound texts.
 */
export interface TextProviderKind<Setting extends string = string> {
  /** Its display name. */
  readonly label: string;
  /** The settings it needs: each must be set, or have a default, if this provider is chosen. */
  readonly settings: Readonly<Record<Setting, z.ZodType<string | undefined, string | undefined>>>;
  readonly limits: TextLimits;
  open(asked: OpenText<Setting>): TextProvider;
  readonly hears: TextWayBack<Setting>;
}
