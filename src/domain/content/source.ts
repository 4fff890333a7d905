import type { Selectable } from 'kysely';
import type { People } from '../../database/tables.generated.ts';

export const channels = ['email', 'sms'] as const;
export type Channel = (typeof channels)[number];
export const sourceGroups = ['person', 'custom_properties', 'webinar'] as const;
export const sourceTypes = ['text', 'number', 'boolean', 'date', 'url'] as const;

/** One thing a variable can read, as the variables list shows it. */
export interface Listed {
  readonly path: string;
  readonly name: string;
  readonly label: string;
  readonly group: (typeof sourceGroups)[number];
  readonly type: (typeof sourceTypes)[number];
  readonly channels: readonly Channel[];
  readonly requires_webinar: boolean;
  readonly example: string;
}

/** The same with where its value is found. */
export type Source = Listed &
  (
    | {
        readonly from: 'person';
        readonly columns: readonly PersonColumn[];
        readonly read: (row: PersonRow, currency: string, now: Date) => Value;
        readonly isName?: true;
      }
    | { readonly from: 'property'; readonly key: string }
    | {
        readonly from: 'webinar';
        readonly read: (webinar: TiedWebinar, recipients: RecipientLinks) => Value;
      }
  );

export type PersonColumn = Exclude<keyof People, 'org_id' | 'assigned_team_members'>;
export type PersonRow = Selectable<Pick<People, PersonColumn>>;

/** What of a webinar is the recipient's own. */
export interface RecipientLinks {
  /** To join by: the recipient's own, or else the webinar's. */
  readonly join: string | null;
  /** The recipient's own, or nothing. */
  readonly own: string | null;
  /** To the entry as a file for a calendar. */
  readonly calendarFile: string;
}

/** The webinar that a broadcast is tied to. */
export interface TiedWebinar {
  readonly id: string;
  readonly title: string;
  readonly start_time: Date;
  readonly timezone: string | null;
  readonly duration_minutes: number | null;
  readonly join_url: string | null;
}

/** A value before it is text. A person's name is in its parts, each of which is repaired by itself. */
export type Value = string | number | boolean | Date | NameParts | null | undefined;

export interface NameParts {
  readonly given: string | null;
  readonly family: string | null;
}
