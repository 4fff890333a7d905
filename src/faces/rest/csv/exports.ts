import type { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import {
  beginRecipientsExport,
  ExportedRecipient,
  readRecipientsExport,
} from '../../../domain/broadcasts/outcome/export-recipients.ts';
import { beginPeopleExport, readPeopleExport } from '../../../domain/people/record/export-people.ts';
import { ExportedPerson } from '../../../domain/people/record/person.ts';
import {
  beginRegistrationsExport,
  ExportedRegistration,
  readRegistrationsExport,
} from '../../../domain/webinars/registrations/export-registrations.ts';
import type { Permission } from '../../../kernel/caller.ts';
import type { AnyOperation } from '../../../kernel/operation.ts';

/** A list that leaves as a file. `begin` checks what is asked and is in the audit log; `read` gives rows and where the next step goes on. */
export interface Export {
  readonly begin: AnyOperation<Work>;
  readonly read: AnyOperation<Work>;
  /** Asked for beside people.read. */
  readonly permission: Permission;
  readonly row: z.ZodObject;
  readonly file: string;
}

export const exports: readonly Export[] = [
  {
    begin: beginPeopleExport,
    read: readPeopleExport,
    permission: 'people.read',
    row: ExportedPerson,
    file: 'people.csv',
  },
  {
    begin: beginRecipientsExport,
    read: readRecipientsExport,
    permission: 'broadcasts.read',
    row: ExportedRecipient,
    file: 'recipients.csv',
  },
  {
    begin: beginRegistrationsExport,
    read: readRegistrationsExport,
    permission: 'webinars.read',
    row: ExportedRegistration,
    file: 'registrants.csv',
  },
];
