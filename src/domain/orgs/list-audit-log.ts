import { z } from 'zod';
import { defineOperation } from '../../database/work.ts';
import { Moment } from '../../kernel/moment.ts';
import { pageInput } from '../../kernel/page.ts';
import { AuditEntry, readEntries, toEntry, type AuditFilters } from './audit-entry.ts';

/** Entries that a page looks at where one filter is found by an index and the others are not. */
const looked = 2_000;

export const listAuditLog = defineOperation({
  name: 'list_audit_log',
  title: 'List the audit log',
  summary:
    'Who changed what, the newest first. All filters sent must hold. A page may have fewer entries than limit, even ' +
    'none: go on with next_cursor until it is null.',
  permission: 'settings.read',
  effect: 'read',
  faces: { rest: ['GET /v1/audit-log'] },
  input: z.strictObject({
    actor_id: z.string().min(1).max(200).optional().describe('The key, the user or the part of the service.'),
    operation: z.string().min(1).max(200).optional().describe('Such as delete_person.'),
    object_id: z.string().min(1).max(200).optional().describe('An id that the entry names.'),
    from: Moment.optional().describe('Inclusive.'),
    to: Moment.optional().describe('Exclusive.'),
    cursor: z.guid().optional().describe('next_cursor of the page before.'),
    limit: pageInput.limit,
  }),
  output: z.object({
    entries: z.array(AuditEntry),
    limit: z.int(),
    next_cursor: z.guid().nullable(),
  }),
  handle: async (work, asked) => {
    const { limit } = asked;
    const size = isIndexedAlone(asked) ? limit + 1 : looked;
    const rows = await readEntries(work, asked, size);
    const matching = rows.filter(({ matches }) => matches);
    const shown = matching.slice(0, limit);
    const isMore = matching.length > limit;
    const goOn = isMore ? shown.at(-1) : rows.length >= size ? rows.at(-1) : undefined;
    return { entries: shown.map(toEntry), limit, next_cursor: goOn?.id ?? null };
  },
});

const isIndexedAlone = ({ actor_id, operation, object_id }: AuditFilters): boolean =>
  [actor_id, operation, object_id].filter((one) => one !== undefined).length <= 1;
