import reasons from 'virtual:reasons';
import type { Listed } from './state-pill.tsx';

/** What a broadcast is called: its subject, or what it is while it has none. */
export const titleOf = ({ subject, channel, audience }: Listed): string =>
  subject ?? (channel === 'sms' ? `Text to ${audience.webinar_title ?? 'registrants'}` : 'Without a subject');

const ofWebinar = { registered: '', attended: ', who attended', no_show: ', who did not come' } as const;

export const audienceOf = ({ audience }: Pick<Listed, 'audience'>): string => {
  if (audience.kind === 'everyone') return 'Everyone';
  if (audience.kind === 'segment') return audience.segment_name ?? 'A segment that is gone';
  return `Webinar: ${audience.webinar_title ?? 'gone'}${ofWebinar[audience.webinar_audience ?? 'registered']}`;
};

/** Why somebody is left out, failed or is uncertain, as the service says it: a clause about "they". */
export const reasonWords = (
  outcome: 'skipped' | 'failed' | 'uncertain',
  reason: string,
  channel: Listed['channel'],
): string => reasons[outcome]?.[reason]?.[channel] ?? reason.replaceAll('_', ' ');

export const capital = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
