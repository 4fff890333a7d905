import type { Inbound } from './read-inbound.ts';

/** The message ids that a reply answers; undefined when a machine wrote it. */
export function readReply({ header, parts }: Inbound): readonly string[] | undefined {
  const first = (name: string) => (header(name)[0] ?? '').trim().toLowerCase();
  const auto = first('auto-submitted');
  const isMachine =
    (auto !== '' && !auto.startsWith('no')) ||
    /^(bulk|junk|list|auto[_-]?reply)/.test(first('precedence')) ||
    ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply'].some(
      (name) => header(name).length > 0,
    ) ||
    first('content-type').startsWith('multipart/report') ||
    parts.some(({ type }) => /delivery-status$|disposition-notification$/.test(type));
  return isMachine ? undefined : [...header('in-reply-to'), ...header('references')];
}
