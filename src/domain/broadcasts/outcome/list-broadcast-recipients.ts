import { z } from 'zod';
import { defineOperation } from '../../../database/work.ts';
import { BroadcastId } from '../../../kernel/ids.ts';
import { pageInput } from '../../../kernel/page.ts';
import { requireBroadcast } from '../draft/broadcast-rows.ts';
import { ListedRecipient, withNames } from './listed-recipient.ts';
import { fromCursor, toCursor } from './recipient-cursor.ts';
import { linkStandsAlone, linkStandsAloneWords, recipientFilters } from './recipient-filters.ts';
import { readRecipients } from './read-recipients.ts';

export const listBroadcastRecipients = defineOperation({
  name: 'list_broadcast_recipients',
  title: 'List who a broadcast went to',
  summary:
    'Every recipient of a broadcast with where they ended up, those still to come first; with names and addresses for a ' +
    'credential that has people.read. All filters sent must hold. next_cursor asks for the next page with the same ' +
    'filters; it is null on the last.',
  permission: 'broadcasts.read',
  effect: 'read',
  faces: { rest: ['GET /v1/broadcasts/:broadcast_id/recipients'] },
  input: z
    .strictObject({
      broadcast_id: BroadcastId,
      ...recipientFilters,
      cursor: z.string().min(1).max(1_000).optional().describe('next_cursor of the page before.'),
      limit: pageInput.limit,
    })
    .refine(linkStandsAlone, linkStandsAloneWords),
  output: z.object({
    recipients: z.array(ListedRecipient),
    limit: z.int(),
    next_cursor: z.string().nullable(),
  }),
  handle: async (work, { cursor, limit, ...asked }) => {
    await requireBroadcast(work, asked.broadcast_id);
    const after = cursor === undefined ? undefined : fromCursor(work, asked, cursor);
    const rows = await readRecipients(work, asked, after, limit + 1);
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    const page = rows.slice(0, limit);
    return {
      recipients: await withNames(work, page),
      limit,
      next_cursor: last === undefined ? null : toCursor(work, asked, last),
    };
  },
});
