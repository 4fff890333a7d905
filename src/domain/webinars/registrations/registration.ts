import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { Registrations } from '../../../database/tables.generated.ts';
import { PersonId } from '../../../kernel/ids.ts';
import { MomentOut, outgoing } from '../../../kernel/moment.ts';
import { NamedPerson } from '../../people/record/named-people.ts';

/** Who reported the attendance. A report through the API overrides a platform's. */
export const attendanceSources = ['api', 'platform'] as const;

/** A registration as callers see it. */
export const Registration = z
  .object({
    registration_id: z.guid(),
    person_id: PersonId,
    registered_at: MomentOut,
    attended: z.boolean(),
    attendance_source: z
      .enum(attendanceSources)
      .nullable()
      .describe('null: nobody has said so far, so attended is false.'),
    attendance_at: MomentOut.nullable().describe('When that was last said.'),
    join_url: z.string().nullable().describe("The platform's personal link, if there is one."),
  })
  .meta({ id: 'Registration' });

/** Adds the person, for callers who may read people. */
export const Registrant = Registration.extend({
  person: NamedPerson,
}).meta({ id: 'Registrant' });

export const registrationColumns = [
  'id',
  'person_id',
  'registered_at',
  'attended',
  'attendance_source',
  'attendance_at',
  'join_url',
] as const satisfies readonly (keyof Registrations)[];

export type RegistrationRow = Pick<Selectable<Registrations>, (typeof registrationColumns)[number]>;

export const toRegistration = (row: RegistrationRow): z.input<typeof Registration> => ({
  registration_id: row.id,
  person_id: row.person_id as PersonId,
  registered_at: row.registered_at.toISOString(),
  attended: row.attended,
  attendance_source: row.attendance_source as (typeof attendanceSources)[number] | null,
  attendance_at: outgoing(row.attendance_at),
  join_url: row.join_url,
});
