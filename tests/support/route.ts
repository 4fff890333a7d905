import { orgTransaction } from '../../src/database/org-transaction.ts';
import { chooseRoute } from '../../src/domain/delivery/providers/choose-route.ts';
import { addRoute, changeRoute, type RouteSettings } from '../../src/domain/delivery/providers/routes.ts';
import type { Channel } from '../../src/domain/orgs/allowance.ts';
import { keyring } from '../../src/main/keys.ts';
import { readRoute } from '../../src/main/route-settings.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

const saving =
  (write: typeof addRoute) =>
  ({ database, config }: World, name: string, settings: RouteSettings, kind = 'smtp'): Promise<boolean> =>
    write(database, keyring(config).stored, readRoute(config, { name, kind, settings }), new Date());

/** As `rostrum route add` does. */
export const newRoute = saving(addRoute);

export const setRoute = saving(changeRoute);

/** As `rostrum org route` does. */
export const useRoute = (
  { database }: World,
  { id: org }: TestOrg,
  route: string,
  channel: Channel = 'email',
  now = new Date(),
): Promise<boolean> =>
  orgTransaction(database, org, 'write', (db) =>
    chooseRoute({ db, org, now, actor: 'operator', face: 'cli' }, channel, route),
  );
