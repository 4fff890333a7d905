import { Resolver } from 'node:dns/promises';
import type { Answer, LookUp } from '../domain/senders/look-up.ts';

// Two tries, the second with a longer timeout: some 8 seconds for a server that is away.
const patience = { timeout: 2_500, tries: 2 };

/** The name does not exist, or has no record of that type. Any other error leaves that open. */
const nothing = new Set(['ENOTFOUND', 'ENODATA']);

/** Asks the given resolvers, or the system's. */
export function dnsLookUp(servers?: readonly string[]): LookUp {
  const ask = async (question: (resolver: Resolver) => Promise<string[]>): Promise<Answer> => {
    const resolver = new Resolver(patience);
    if (servers !== undefined) resolver.setServers(servers);
    try {
      const values = await question(resolver);
      return values.length > 0 ? { kind: 'found', values } : { kind: 'nothing' };
    } catch (error) {
      const { code = 'UNKNOWN' } = error as { code?: string };
      return nothing.has(code)
        ? { kind: 'nothing' }
        : { kind: 'unreachable', reason: code.replace(/^E/, '') };
    }
  };
  return {
    txt: (host) =>
      ask(async (resolver) => (await resolver.resolveTxt(host)).map((chunks) => chunks.join(''))),
    cname: (host) => ask((resolver) => resolver.resolveCname(host)),
  };
}
