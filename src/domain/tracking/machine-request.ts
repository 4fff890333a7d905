import { isbot } from 'isbot';
import { trapLink } from '../delivery/public-urls.ts';
import type { Hit } from './hit.ts';

// They fetch a picture when somebody opens the message. isbot takes them for robots, and every opening in Gmail and
// Yahoo with them.
const openedThrough = /\b(?:GoogleImageProxy|YahooMailProxy)\b/;

/** What tells that no person is behind a request, as far as the request alone can tell. */
export function machineByRequest({
  kind,
  link,
  method,
  agent,
}: Omit<Hit, 'at' | 'delivery'>): string | undefined {
  if (method === 'HEAD') return 'head';
  if (link === trapLink) return 'trap';
  if (agent === '') return 'no_agent';
  // Apple's relay fetches every picture beforehand, whether the message is ever opened or not.
  if (agent === 'Mozilla/5.0') return 'apple_relay';
  if (kind === 'open' && openedThrough.test(agent)) return undefined;
  return isbot(agent) ? 'bot' : undefined;
}
