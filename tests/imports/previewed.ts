import { expect } from 'vitest';
import { addProperty, withRows } from '../support/import.ts';
import { commit, tokenOf } from '../support/import-preview.ts';
import { contentsOf } from '../support/org-contents.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';

export const mapping = {
  mail: 'email',
  phone: 'phone',
  first: 'first_name',
  tier: { property: 'tier' },
  size: { new_property: { key: 'size', name: 'Size', type: 'number' } },
};
export const rows = [
  { mail: 'ann@example.com', tier: 'gold', size: 1 },
  { mail: 'bob@example.com', phone: '+15550007777', size: 2 },
  { mail: 'new@example.com', first: 'New', tier: 'iron' },
];

export interface Arranged {
  readonly org: TestOrg;
  readonly ann: string;
  readonly bob: string;
  readonly stranger: string;
  readonly tier: string;
  readonly id: string;
  readonly token: string;
}

/** Two people whom a file means, one whom it does not, and the token of its preview. */
export async function previewed(world: World): Promise<Arranged> {
  const org = await world.newOrg();
  const tier = await addProperty(org, 'tier');
  await addProperty(org, 'color');
  const ann = await org.person({ email: 'ann@example.com', external_user_id: 'x1' });
  const bob = await org.person({ email: 'bob@example.com' });
  const stranger = await org.person({ email: 'stranger@example.com' });
  await org.rest(`PUT /v1/people/${ann}/properties/tier`, { value: 'iron' });
  await org.rest(`PATCH /v1/people/${bob}/opt-outs`, { sms_opt_out: true });
  const id = await withRows(org, mapping, rows);
  return { org, ann, bob, stranger, tier, id, token: await tokenOf(org, id) };
}

export type Change = (arranged: Arranged) => Promise<unknown>;

/** What a commit after this change is refused for; it writes nothing, and a new preview makes it good. */
export async function refusedIn(world: World, change: Change): Promise<string[]> {
  const arranged = await previewed(world);
  const { org, id, token } = arranged;
  await change(arranged);
  const before = await contentsOf(world.admin, org);
  const { status, body } = await commit(org, token);
  expect([status, body.code]).toEqual([409, 'import_changed']);
  expect(await contentsOf(world.admin, org)).toEqual(before);
  expect((await commit(org, await tokenOf(org, id, 'allow'))).status).toBe(200);
  return body.errors.map(({ pointer }: { pointer: string }) => pointer);
}
