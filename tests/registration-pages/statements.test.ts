import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { performer } from '../../src/catalogue/perform.ts';
import { callerOfPage, registerByPage } from '../../src/domain/registration-pages/register-by-page.ts';
import { keyring } from '../../src/main/keys.ts';
import { mailSettings } from '../../src/main/mail-settings.ts';
import { openCounted } from '../queries/count-queries.ts';
import { useWorld } from '../support/world.ts';
import { openPage } from './visitor.ts';

const world = useWorld();

test('a form takes twelve round trips where no platform and no workflow waits for it', async () => {
  const org = await world().newOrg();
  const { webinar_id } = await openPage(org, { slug: 'few-statements' });
  const counted = openCounted(world().databaseUrl);
  const { config } = world();
  const perform = performer(counted.database, keyring(config), mailSettings(config));
  const call = { requestId: randomUUID(), address: '192.0.2.1', now: new Date() };
  const caller = callerOfPage({ org: org.id, mode: 'live', currency: 'USD' }, call);
  const input = { webinar_id, user: { full_name: 'Ann', email: 'ann@example.com' }, consent: null };
  const { statements } = await counted.count(() => perform(registerByPage, caller, input, randomUUID()));
  await counted.close();
  expect(statements.map((text) => text.trim().split('\n')[0]!.slice(0, 60))).toHaveLength(12);
});
