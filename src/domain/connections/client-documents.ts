import { z } from 'zod';
import type { Clock } from '../../kernel/clock.ts';
import type { FewAtOnce } from '../../kernel/few-at-once.ts';
import type { Client, FindClient } from './client.ts';
import type { FetchedDocument } from './fetch-document.ts';
import { NewClient } from './register-client.ts';

const mostKept = 500;
const minute = 60_000;
const day = 86_400_000;
const longestId = 500;

const ClientDocument = NewClient.extend({
  client_id: z.string(),
  // Whoever could read a secret in a public document would know it.
  client_secret: z.undefined().optional(),
  token_endpoint_auth_method: z.literal('none').optional(),
});

/** Whether a client's id is the address of a document, spelled in the one way that browsers and proxies leave as it is. */
export function isDocumentAddress(id: string): boolean {
  const url = id.length <= longestId && id.startsWith('https://') ? URL.parse(id) : null;
  return url !== null && url.href === id && url.pathname !== '/' && !/[#@\\]/.test(id);
}

export interface ClientDocumentParts {
  readonly fetch: (url: URL) => Promise<FetchedDocument>;
  readonly inTurn: FewAtOnce;
  readonly clock: Clock;
}

/** Clients that describe themselves in a document, each fetched once and kept as long as its server says, within limits. */
export function clientDocuments({ fetch, inTurn, clock }: ClientDocumentParts): FindClient {
  const kept = new Map<string, { readonly client: Client; readonly until: number }>();
  const asked = new Map<string, Promise<Client | undefined>>();

  const read = async (id: string): Promise<Client | undefined> => {
    const url = new URL(id);
    const document = await inTurn(() => fetch(url).catch(() => undefined));
    const client = document && readClient(id, url.host, document.text);
    if (document === undefined || client === undefined) return undefined;
    const [oldest] = kept.keys();
    kept.delete(id);
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
    kept.set(id, { client, until: clock.now().getTime() + keptMs(document.cacheControl) });
    return client;
  };

  return async (id) => {
    if (!isDocumentAddress(id)) return undefined;
    const found = kept.get(id);
    if (found !== undefined && found.until > clock.now().getTime()) return found.client;
    const asking = asked.get(id) ?? read(id).finally(() => asked.delete(id));
    asked.set(id, asking);
    return asking;
  };
}

/** A document that names another address as its own is a copy of somebody else's. */
function readClient(id: string, host: string, text: string): Client | undefined {
  const parsed = ClientDocument.safeParse(parseJson(text));
  if (!parsed.success || parsed.data.client_id !== id) return undefined;
  const { client_name, redirect_uris } = parsed.data;
  return { id, name: client_name, redirectUris: redirect_uris, host };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function keptMs(cacheControl: string): number {
  const [, seconds = '300'] = /\bmax-age=(\d{1,9})/i.exec(cacheControl) ?? [];
  return Math.min(day, Math.max(minute, Number(seconds) * 1000));
}
