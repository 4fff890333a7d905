/** An account with a platform, with what opens it. Made for one call and kept nowhere. */
export interface Account {
  /** The connection it belongs to. */
  readonly id: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What takes place on the platform. */
export interface PlatformEvent {
  readonly account: Account;
  readonly eventId: string;
}

export interface Registrant {
  readonly email: string;
  readonly firstName: string;
  readonly lastName?: string;
}

/**
 * What became of a registrant. Pending: the platform knows them, and the link is still to come. Retry: not now. With
 * `counted: false` the platform has not counted the call, of which there are few a day. What it is about says who else
 * need not try for now: nobody, everybody of this account because it was turned away, or everybody.
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

/** Once in the room. Somebody who comes back gives several. */
export interface ReportRow {
  readonly externalId?: string;
  readonly email?: string;
  readonly leftAt?: Date;
}

/**
 * A page of who took part. `next` leads to the page after it, and is good for some minutes. `final`: this was the last
 * page of a report that is there. Neither: there is no report yet, or none to be had now; `why` says which.
 */
export interface ReportPage {
  readonly rows: readonly ReportRow[];
  readonly next?: string;
  readonly final: boolean;
  readonly why?: string;
  readonly account?: true;
  readonly retryAt?: Date;
}

/** What the service asks of a webinar platform. Neither ever throws for what a platform answers, or does not. */
export interface Connector {
  /**
   * Adds somebody to an event. The same key means the same registrant: a platform that knows them answers what it
   * answered before.
   */
  pushRegistrant(event: PlatformEvent, person: Registrant, key: string, now: Date): Promise<Pushed>;
  participantsReport(event: PlatformEvent, cursor: string | undefined, now: Date): Promise<ReportPage>;
}

export type Connectors = Readonly<Record<'zoom', Connector>>;
