import type { LookupAddress } from 'node:dns';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { askNameServers } from './ask-name-servers.ts';
import { isPublicAddress } from './public-address.ts';

const fetchMs = 5_000;
const largest = 16 * 1024;

export interface FetchedDocument {
  readonly text: string;
  readonly cacheControl: string;
}

/** How names are looked up, and which addresses may be asked: tests have a network of their own. */
export interface DocumentNetwork {
  readonly lookup: (host: string) => Promise<LookupAddress[]>;
  readonly isAllowed: (address: string) => boolean;
  readonly ca?: string;
}

const internet: DocumentNetwork = { lookup: askNameServers(), isAllowed: isPublicAddress };

/**
 * Fetches a small JSON document that a stranger named: over TLS, from an address of the world, without following
 * redirects. The connection goes to the very address that was judged, so a name cannot mean another one a moment later.
 */
export function fetchDocument(url: URL, network: DocumentNetwork = internet): Promise<FetchedDocument> {
  return new Promise((resolve, reject) => {
    // An address instead of a name is looked up by nobody, and so would be judged by nobody.
    if (url.protocol !== 'https:' || isIP(url.hostname.replaceAll(/[[\]]/g, '')) !== 0)
      return reject(new Error('not an https:// address with a name'));
    const asking = request(url, {
      agent: false,
      lookup: judgedLookup(network),
      signal: AbortSignal.timeout(fetchMs),
      headers: { accept: 'application/json', 'user-agent': 'Rostrum' },
      ...(network.ca !== undefined && { ca: network.ca }),
    });
    asking.on('error', reject);
    asking.on('response', (response) => {
      const { 'content-type': type = '', 'cache-control': cacheControl = '' } = response.headers;
      const isJson = /^application\/([\w.-]+\+)?json(\s*;|$)/i.test(type);
      if (response.statusCode !== 200 || !isJson)
        return void asking.destroy(new Error(`it answered ${response.statusCode} and ${type}`));
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > largest) asking.destroy(new Error('it answered too much'));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => resolve({ text: Buffer.concat(chunks).toString('utf8'), cacheControl }));
      return undefined;
    });
    asking.end();
    return undefined;
  });
}

/** Answers with addresses only if every one of them may be asked. */
function judgedLookup({ lookup, isAllowed }: DocumentNetwork): LookupFunction {
  const find = callbackify(async (host: string) => {
    const addresses = await lookup(host);
    if (addresses.every(({ address }) => isAllowed(address))) return addresses;
    throw new Error('not an address of the world');
  });
  return (host, options, done) =>
    find(host, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) done(error ?? new Error('no address'), '', 0);
      else if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
}
