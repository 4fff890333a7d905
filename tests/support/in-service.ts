import type { Work } from '../../src/database/work.ts';
import { asService } from '../../src/domain/orgs/as-service.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

/** What the service does when nobody calls it. */
export const inService = <T>(
  { database, config }: World,
  org: TestOrg,
  handle: (work: Work) => Promise<T>,
): Promise<T | undefined> =>
  asService(
    database,
    { keys: keyring(config), mail: mailSettings(config) },
    { org: org.id, now: new Date(), actor: 'a test', requestId: 'none' },
    handle,
  );
