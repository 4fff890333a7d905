import { expect, test } from 'vitest';
import type { Permission, Role } from '../../src/kernel/caller.ts';
import { newMember } from '../support/member.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const reading: readonly Permission[] = [
  'people.read',
  'webinars.read',
  'broadcasts.read',
  'workflows.read',
  'settings.read',
];
const writing: readonly Permission[] = [
  'people.write',
  'webinars.write',
  'broadcasts.write',
  'workflows.write',
  'settings.write',
  'events.write',
];
const sending: readonly Permission[] = ['broadcasts.schedule'];
const deleting: readonly Permission[] = ['people.delete'];

// Written out here, so that a role cannot gain a permission by the way.
test.each<[Role, readonly Permission[]]>([
  ['owner', [...reading, ...writing, ...sending, ...deleting]],
  ['admin', [...reading, ...writing, ...sending, ...deleting]],
  ['sender', [...reading, ...writing, ...sending]],
  ['editor', [...reading, ...writing]],
  ['viewer', reading],
])('whoever is %s has just these permissions', async (role, permissions) => {
  const member = await newMember(world(), await world().newOrg(), role);
  const { body } = await member.rest('GET /v1/me');
  expect(body.permissions.toSorted()).toEqual(permissions.toSorted());
});
