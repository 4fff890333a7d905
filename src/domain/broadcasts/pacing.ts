import type { Draft } from './draft-input.ts';

const listHours = 3;

/** A list is spread over three hours, so that mailboxes are not flooded; who waits for a webinar is told at once. */
export const pacedOverHours = ({ audience }: Pick<Draft, 'audience'>): number =>
  audience === 'webinar' ? 0 : listHours;
