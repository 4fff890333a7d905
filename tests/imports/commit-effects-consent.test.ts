import { expect, test } from 'vitest';
import type { TestOrg } from '../support/test-org.ts';
import { useWorld } from '../support/world.ts';
import { holdersOf, importList } from './through-engine.ts';

const world = useWorld({ engine: true });

const subscribed = { Mail: 'email', Wants: 'subscribed_to_emails' };
const unsubscribed = { Mail: 'email', Out: 'unsubscribed_from_emails' };

/** Whether those called so are opted out of email. */
const areOut = async (org: TestOrg, ...values: string[]): Promise<boolean[]> =>
  (await holdersOf(world(), org, values)).map(({ email_opt_out }) => email_opt_out);

const at = (name: string): string => `${name}@example.com`;

async function optedOut(org: TestOrg, email: string): Promise<string> {
  const id = await org.person({ email });
  await org.rest(`PATCH /v1/people/${id}/opt-outs`, { email_opt_out: true });
  return id;
}

test('IMP-031 IMP-032 subscribed_to_emails opts out with a no, and nobody back in with a yes', async () => {
  const org = await world().newOrg();
  await org.person({ email: 'known@example.com' });
  await org.person({ email: 'stays@example.com' });
  await optedOut(org, 'out@example.com');
  const done = await importList(org, subscribed, [
    { Mail: 'known@example.com', Wants: 'no' },
    { Mail: 'stays@example.com', Wants: 'yes' },
    { Mail: 'out@example.com', Wants: 'yes' },
    { Mail: 'new@example.com', Wants: false },
    { Mail: 'fresh@example.com', Wants: 'subscribed' },
    { Mail: 'silent@example.com', Wants: '' },
    { Mail: 'new@example.com', Wants: 'yes' },
  ]);
  expect(done).toMatchObject({ status: 'completed', succeeded: 7, people_opted_out: 2 });
  const names = ['known', 'stays', 'out', 'new', 'fresh', 'silent'].map(at);
  expect(await areOut(org, ...names)).toEqual([true, false, true, true, false, false]);
});

test('IMP-033 IMP-034 unsubscribed_from_emails opts out with a yes, and nobody back in with a no', async () => {
  const org = await world().newOrg();
  await org.person({ email: 'known@example.com' });
  await org.person({ email: 'stays@example.com' });
  await optedOut(org, 'out@example.com');
  const done = await importList(org, unsubscribed, [
    { Mail: 'known@example.com', Out: 'yes' },
    { Mail: 'stays@example.com', Out: 'no' },
    { Mail: 'out@example.com', Out: 'no' },
    { Mail: 'new@example.com', Out: '1' },
    { Mail: 'new@example.com', Out: '0' },
  ]);
  expect(done).toMatchObject({ status: 'completed', succeeded: 5, people_opted_out: 2 });
  expect(await areOut(org, ...['known', 'stays', 'out', 'new'].map(at))).toEqual([true, false, true, true]);
});

test('IMP-032 an address that was suppressed when its person was deleted is suppressed again, whatever the list says', async () => {
  const org = await world().newOrg();
  const gone = await optedOut(org, 'gone@example.com');
  const deleted = await org.rest(`DELETE /v1/people/${gone}?drop_suppression=true`);
  expect(deleted).toMatchObject({ status: 200 });
  const done = await importList(org, subscribed, [
    { Mail: 'gone@example.com', Wants: 'yes' },
    { Mail: 'other@example.com', Wants: 'yes' },
  ]);
  expect(done).toMatchObject({ succeeded: 2, people_created: 2 });
  expect(await areOut(org, at('gone'), at('other'))).toEqual([true, false]);
});

test('IMP-032 whoever takes in somebody opted out is opted out', async () => {
  const org = await world().newOrg();
  await org.person({ external_user_id: 'u-1' });
  await optedOut(org, 'out@example.com');
  const mapping = { Id: 'external_user_id', ...subscribed };
  await importList(org, mapping, [{ Id: 'u-1', Mail: 'out@example.com', Wants: 'yes' }], 'allow');
  expect(await areOut(org, 'u-1')).toEqual([true]);
});
