import type { Draft } from '../draft/draft-input.ts';

const listHours = 3;

/** A list is spread over three hours, so as not to flood mailboxes; registrants of a webinar are written to at once. */
export const pacedOverHours = ({ audience }: Pick<Draft, 'audience'>): number =>
  audience === 'webinar' ? 0 : listHours;
