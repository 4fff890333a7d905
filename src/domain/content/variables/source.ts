import type { Selectable } from 'kysely';
import type { People } from '../../../database/tables.generated.ts';

export const channels = ['email', 'sms'] as const;
export type Channel = (typeof channels)[number];
export const sourceGroups = ['person', 'custom_properties', 'webinar'] as const;
export const sourceTypes = ['text', 'number', 'boolean', 'date', 'url'] as const;

/** A source that a variable can read, as the variables list shows it. */
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

/** What every entry of the list has; `field` is its path below the root. */
export function listed(
  group: Listed['group'],
  field: string,
  label: string,
  type: Listed['type'],
  example: string,
): Listed {
  return {
    path: `{{context.root_context.${field}}}`,
    name: field.slice(field.lastIndexOf('.') + 1),
    label,
    group,
    type,
    channels,
    requires_webinar: group === 'webinar',
    example,
  };
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

/** The links of a webinar for one recipient. */
export interface RecipientLinks {
  /** The link to join: the recipient's own, or else the webinar's. */
  readonly join: string | null;
  /** The recipient's own link, or null. */
  readonly own: string | null;
  /** The link to the calendar file. */
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
