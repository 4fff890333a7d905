import { defaultRoute } from '../../src/domain/delivery/ledger/route.ts';
import type { FindProviders, Providers } from '../../src/domain/delivery/outgoing/outgoing.ts';

/** Every organization sends through these. */
export const always =
  (providers: Partial<Providers> = {}): FindProviders =>
  () =>
    Promise.resolve({ route: defaultRoute, email: undefined, text: undefined, ...providers });
