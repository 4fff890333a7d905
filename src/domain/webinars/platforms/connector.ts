/** An account with a platform and its credentials. Made for one call and stored nowhere. */
export interface Account<Field extends string = string> {
  /** The connection it belongs to. */
  readonly id: string;
  /** The values of the platform's own credential fields. */
  readonly credentials: Readonly<Record<Field, string>>;
}

/** An event on the platform, with the account to open it. */
export interface PlatformEvent<Field extends string = string> {
  readonly account: Account<Field>;
  readonly eventId: string;
}

export interface Registrant {
  readonly email: string;
  readonly firstName: string;
  readonly lastName?: string;
}

/**
 * The outcome of pushing a registrant. Registered: also when the platform knew them before. Pending: the platform knows
 * them, and the link is still to come. Refused: for good, for example because the platform does not know the event.
 * Retry: not now. `counted: false` means that the platform did not count the call, of which it allows few a day.
 * `about` says which other pushes would fail now: none, those of this account because it was turned away, or all.
 */
export type Pushed =
  | { readonly status: 'registered'; readonly externalId: string; readonly joinUrl: string }
  | { readonly status: 'pending'; readonly externalId: string }
  | Retry
  | { readonly status: 'refused'; readonly why: string };

export interface Retry {
  readonly status: 'retry';
  readonly about: 'registrant' | 'account' | 'platform';
  readonly why: string;
  readonly counted: boolean;
  readonly retryAt?: Date;
}

/** One stay in the room. A person who comes back has several. */
export interface ReportRow {
  readonly externalId?: string;
  readonly email?: string;
  readonly leftAt?: Date;
}

/**
 * A page of participants. `next` leads to the following page and is good for some minutes. `final`: this was the last
 * page of an existing report. Neither: the report is not made yet, or not available now; `why` says which.
 */
export interface ReportPage {
  readonly rows: readonly ReportRow[];
  readonly next?: string;
  readonly final: boolean;
  readonly why?: string;
  readonly account?: true;
  readonly retryAt?: Date;
}

/** What the service asks of a webinar platform. Neither method throws because of a platform's answer or silence. */
export interface Connector<Field extends string = string> {
  /**
   * Adds a registrant to an event. The same key means the same registrant: a platform that knows them repeats its
   * earlier answer.
   */
  pushRegistrant(event: PlatformEvent<Field>, person: Registrant, key: string, now: Date): Promise<Pushed>;
  participantsReport(event: PlatformEvent<Field>, cursor: string | undefined, now: Date): Promise<ReportPage>;
}
