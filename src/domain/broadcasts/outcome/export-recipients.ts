import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { BroadcastId } from '../../../kernel/ids.ts';
import { requireBroadcast } from '../draft/broadcast-rows.ts';
import { ListedRecipient, withNames } from './listed-recipient.ts';
import { linkStandsAlone, linkStandsAloneWords, recipientFilters } from './recipient-filters.ts';
import { Place } from './recipient-cursor.ts';
import { readRecipients } from './read-recipients.ts';

/*
 * Steps of the export of a broadcast's recipients, as those of people are (ADR 90). What leaves the house is people, so
 * the permission is theirs; the face asks for that of broadcasts as well.
 */
const part = {
  permission: 'people.read',
  faces: { rest: ['GET /v1/broadcasts/:broadcast_id/recipients/export'] },
} as const;

/** Recipients of a step: so each is short. */
const most = 250;

const input = { broadcast_id: BroadcastId, ...recipientFilters };

export const beginRecipientsExport = defineOperation({
  ...part,
  name: 'export_broadcast_recipients',
  title: 'Export who a broadcast went to',
  summary: 'Checks the filters of an export and writes down that it was made.',
  effect: 'add',
  evenSuspended: true, // it changes nothing
  cost: 'heavy',
  input: z.strictObject(input).refine(linkStandsAlone, linkStandsAloneWords),
  output: z.object({}),
  handle: async (work, { broadcast_id }) => {
    work.touched['broadcast_id'] = (await requireBroadcast(work, broadcast_id)).id;
    return {};
  },
});

const { person, person_id, ...rest } = ListedRecipient.shape;
export const ExportedRecipient = z.object({ person_id, ...person.unwrap().shape, ...rest });

export const readRecipientsExport = defineOperation({
  ...part,
  name: 'read_recipients_export',
  title: 'Read part of an export',
  summary: 'The next recipients of an export.',
  effect: 'read',
  cost: 'heavy',
  input: z.strictObject({ filters: z.strictObject(input), after: Place.optional() }),
  output: z.object({ rows: z.array(ExportedRecipient), next: Place.nullable() }),
  handle: async (work, { filters, after }) => {
    const read = await readRecipients(work, filters, after, most);
    const listed = await withNames(work, read);
    const last = read.length === most ? read.at(-1)! : undefined;
    return {
      rows: listed.map(({ person: named, ...row }) => ({ ...(named ?? noName), ...row })),
      next: last === undefined ? null : Place.parse(last),
    };
  },
});

const noName = { first_name: null, last_name: null, primary_email: null, primary_phone: null };
