import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { People } from '../../../database/tables.generated.ts';
import type { Work } from '../../../database/work.ts';
import { PersonId } from '../../../kernel/ids.ts';
import { MomentOut } from '../../../kernel/moment.ts';
import { IdentifierType } from '../../identifiers/identifier.ts';
import { fieldsOfPerson, fieldsWith, type FieldName, type NamesWith } from '../../person-fields/fields.ts';
import { PropertyType } from '../../properties/property-config.ts';
import { PropertyScalarOut } from '../../properties/property-value.ts';
import { valueOf } from './field-value.ts';

export const SubscriptionStatus = fieldsOfPerson.subscription_status.output.unwrap();

const summaryFields = fieldsWith({ shown: 'summary' });
const recordFields = fieldsWith({ shown: 'record' });
type SummaryField = NamesWith<{ readonly shown: 'summary' }>;
type RecordField = NamesWith<{ readonly shown: 'record' }>;

type Shape<Name extends FieldName> = { [N in Name]: (typeof fieldsOfPerson)[N]['output'] };
const shapeOf = <Name extends FieldName>(names: readonly Name[]): Shape<Name> =>
  Object.fromEntries(names.map((name) => [name, fieldsOfPerson[name].output])) as Shape<Name>;

export const PersonSummary = z
  .object({ id: PersonId, ...shapeOf(summaryFields) })
  .meta({ id: 'PersonSummary' });

/** What stands beside people in a table. Lists do not tell it: a full page would be too long for a model to read. */
const besideFields = [
  'health_band',
  'email_engagement_score',
  'last_opened_at',
] as const satisfies RecordField[];

/** What can be a column. */
export const columnFields = [...summaryFields, ...besideFields];

export const Beside = z.object(shapeOf(besideFields));
export const ExportedPerson = PersonSummary.extend(Beside.shape);

const ContactMethod = z.object({ type: IdentifierType, value: z.string(), is_primary: z.boolean() });

export const Person = PersonSummary.extend({
  ...shapeOf(recordFields),
  custom_properties: z.record(
    z.string(),
    z.object({ value: PropertyScalarOut.nullable(), name: z.string(), type: PropertyType }),
  ),
  contact_info: z.object({ primary: ContactMethod.nullable(), all: z.array(ContactMethod) }),
  team_members: z.object({ primary_team_member: z.guid().nullable(), all_assigned: z.array(z.guid()) }),
  updated_at: MomentOut,
}).meta({ id: 'Person' });

type Row = Selectable<People>;
type SummaryColumn = (typeof fieldsOfPerson)[SummaryField]['column'];

export const summaryColumns: readonly ('id' | SummaryColumn)[] = [
  'id',
  ...summaryFields.map((name) => fieldsOfPerson[name].column),
];

type BesideColumn = (typeof fieldsOfPerson)[(typeof besideFields)[number]]['column'];
export const besideColumns: readonly BesideColumn[] = besideFields.map((name) => fieldsOfPerson[name].column);
export type BesideRow = Pick<Row, BesideColumn>;

export type SummaryRow = Pick<Row, 'id' | SummaryColumn>;

export const toSummary = (row: SummaryRow, work: Work): z.input<typeof PersonSummary> => ({
  id: row.id as PersonId,
  ...shown(summaryFields, row, work),
});

export const toBeside = (row: BesideRow, work: Work): z.input<typeof Beside> =>
  shown(besideFields, row, work);

/** The fields that only a whole record has. */
export const toRecord = (row: Row, work: Work): Shown<RecordField> => shown(recordFields, row, work);

type Shown<Name extends FieldName> = { [N in Name]: z.input<(typeof fieldsOfPerson)[N]['output']> };

const shown = <Name extends FieldName>(
  names: readonly Name[],
  row: Pick<Row, (typeof fieldsOfPerson)[Name]['column']>,
  { caller, now }: Work,
): Shown<Name> =>
  Object.fromEntries(
    names.map((name) => {
      const value = valueOf(name, row, caller.currency, now);
      return [name, value instanceof Date ? value.toISOString() : value];
    }),
  ) as Shown<Name>;
