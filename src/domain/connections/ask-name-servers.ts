import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

const patience = { timeout: 2_000, tries: 1 };

/**
 * Looks up a stranger's name by asking the name servers. The system's own way holds a thread until they answer, and has
 * one or two for all names: whoever's server keeps silent would keep us from finding the mail server.
 */
export function askNameServers(servers?: readonly string[]): (host: string) => Promise<LookupAddress[]> {
  const addresses = async (asking: Promise<string[]>, family: 4 | 6): Promise<LookupAddress[]> =>
    (await asking.catch(() => [])).map((address) => ({ address, family }));
  return async (host) => {
    const resolver = new Resolver(patience); // it knows the name servers of the moment it is made
    if (servers !== undefined) resolver.setServers(servers);
    const asking = [addresses(resolver.resolve4(host), 4), addresses(resolver.resolve6(host), 6)];
    return (await Promise.all(asking)).flat();
  };
}
