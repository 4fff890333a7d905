import { isbot } from 'isbot';
import { trapLink } from '../delivery/outgoing/public-urls.ts';
import type { Hit } from './hit.ts';

// These proxies fetch a picture when a person opens the message. isbot calls them robots, which would discard every
// opening in Gmail and Yahoo.
const openedThrough = /\b(?:GoogleImageProxy|YahooMailProxy)\b/;

/** Why the request alone shows that no person made it; undefined if it does not. */
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
