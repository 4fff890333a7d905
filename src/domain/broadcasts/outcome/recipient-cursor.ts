import { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import { openText, sealText } from '../../../kernel/sealed-text.ts';
import { invalidRequest } from '../../../kernel/failure.ts';
import { filterNames, type Asked } from './recipient-filters.ts';

/** The last recipient of a page: the next begins right after it. */
export const Place = z.object({
  state: z.string(),
  /** As PostgreSQL writes it, to the microsecond. */
  due: z.string(),
  id: z.int(),
});
export type Place = z.infer<typeof Place>;

/** Sealed, so that a caller can only send it back unchanged. */
export const toCursor = (work: Work, asked: Asked, place: Place): string =>
  sealText(work.keys.tokens, JSON.stringify(place), placeOf(work, asked));

export function fromCursor(work: Work, asked: Asked, cursor: string): Place {
  const opened = openText(work.keys.tokens, cursor, placeOf(work, asked));
  if (opened !== undefined) return Place.parse(JSON.parse(opened.toString('utf8')));
  throw invalidRequest([
    {
      pointer: '/cursor',
      code: 'invalid_value',
      detail: 'This is not the next_cursor of a page with the same filters. Leave it out to begin again.',
    },
  ]);
}

/** A cursor is valid with the same filters only. */
const placeOf = ({ org }: Work, asked: Asked): string =>
  ['recipients', org, asked.broadcast_id.toLowerCase(), ...filterNames.map((name) => asked[name] ?? '')].join(
    ' ',
  );
