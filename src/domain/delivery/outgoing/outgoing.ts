import type { KeyObject } from 'node:crypto';
import type { Work } from '../../../database/work.ts';
import type { OrgId } from '../../../kernel/ids.ts';
import type { Copy } from '../../content/body/copy.ts';
import type { Channel } from '../../orgs/allowance.ts';

/** A complete email: the provider adds only the signature. */
export interface OutgoingEmail {
  /** Whose message it is: organizations share a provider's connections. */
  readonly org: OrgId;
  /** Hears right before it leaves. Whoever throws here stops it: it was not handed over. */
  readonly onLeaving?: (() => void) | undefined;
  /** One of a few that go together: it is before others' of many. */
  readonly isFew?: boolean;
  /** Name <address>, as recipients see it. */
  readonly from: string;
  readonly replyTo: string;
  readonly to: string;
  /** Where bounces go: an address of its own for every message. */
  readonly returnPath: string;
  /** Without angle brackets; the same each time this message is tried. */
  readonly messageId: string;
  readonly subject: string;
  readonly html: string | Copy;
  readonly text: string | Copy;
  /** The webinar that it is about, attached. */
  readonly calendar?: { readonly text: string; readonly type: string } | undefined;
  /** Further header fields: List-Unsubscribe, Feedback-ID and so on. */
  readonly headers: Readonly<Record<string, string>>;
  readonly dkim: { readonly domain: string; readonly selector: string; readonly key: KeyObject };
}

export interface OutgoingText {
  readonly org: OrgId;
  /** As for an email. */
  readonly onLeaving?: (() => void) | undefined;
  readonly from: string;
  readonly to: string;
  readonly body: string;
  /** Names the message in a delivery receipt that comes back over HTTP. */
  readonly token: string;
}

/**
 * A provider's answer to a message. `sent`: accepted. `deferred`: not now. `refused`: rejected for good. `unreached`:
 * the provider was unavailable or turned us away; nothing was handed over. `uncertain`: handed over, but no answer
 * came.
 */
export type HandOver =
  | { readonly outcome: 'sent'; readonly reply: string; readonly receipt?: string }
  | {
      readonly outcome: 'deferred' | 'refused';
      readonly reply: string;
      /** Enhanced status code such as 5.1.1, or the provider's own code. */
      readonly code: string | undefined;
      /** The recipient opted out with the provider. */
      readonly optedOut?: true;
    }
  | { readonly outcome: 'unreached' | 'uncertain'; readonly reply: string };

export interface Provider<Message> {
  readonly name: string;
  /** Never throws because of the other side; gives up within 30 seconds. */
  send(message: Message): Promise<HandOver>;
  close(): Promise<void>;
}

export type EmailProvider = Provider<OutgoingEmail>;
export type TextProvider = Provider<OutgoingText>;

/** What messages go through by one route; a channel without a provider cannot send. */
export interface Providers {
  readonly route: string;
  readonly email: EmailProvider | undefined;
  readonly text: TextProvider | undefined;
}

export const canSend = ({ email, text }: Providers, channel: Channel): boolean =>
  (channel === 'email' ? email : text) !== undefined;

/** Finds what the organization of a transaction sends through. */
export type FindProviders = (work: Pick<Work, 'db'>, channel: Channel) => Promise<Providers>;
