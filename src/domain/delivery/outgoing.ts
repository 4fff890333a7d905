import type { KeyObject } from 'node:crypto';

/** An email, complete: whoever hands it over adds nothing but the signature. */
export interface OutgoingEmail {
  /** Name <address>, as recipients see it. */
  readonly from: string;
  readonly replyTo: string;
  readonly to: string;
  /** Where bounces go: an address of its own for every message. */
  readonly returnPath: string;
  /** Without angle brackets; the same each time this message is tried. */
  readonly messageId: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** What else the header holds: List-Unsubscribe, Feedback-ID and so on. */
  readonly headers: Readonly<Record<string, string>>;
  readonly dkim: { readonly domain: string; readonly selector: string; readonly key: KeyObject };
}

export interface OutgoingText {
  readonly from: string;
  readonly to: string;
  readonly body: string;
  /** Names the message in a delivery receipt that comes back over HTTP. */
  readonly token: string;
}

/**
 * How a message was taken. `sent`: they took it. `deferred`: not now. `refused`: not at all. `unreached`: nobody was
 * there, or they did not talk to us; nothing was handed over. `uncertain`: it was handed over and no answer came.
 */
export type HandOver =
  | { readonly outcome: 'sent'; readonly reply: string; readonly receipt?: string }
  | {
      readonly outcome: 'deferred' | 'refused';
      readonly reply: string;
      /** Enhanced status code such as 5.1.1, or the provider's own code. */
      readonly code: string | undefined;
      /** The recipient asked the provider not to be written to. */
      readonly optedOut?: true;
    }
  | { readonly outcome: 'unreached' | 'uncertain'; readonly reply: string };

export interface Provider<Message> {
  readonly name: string;
  /** Never throws for what the other side did; gives up within 30 seconds. */
  send(message: Message): Promise<HandOver>;
  close(): Promise<void>;
}

export type EmailProvider = Provider<OutgoingEmail>;
export type TextProvider = Provider<OutgoingText>;

/** What this installation sends through; a channel without one cannot be sent on. */
export interface Providers {
  readonly email: EmailProvider | undefined;
  readonly text: TextProvider | undefined;
}
