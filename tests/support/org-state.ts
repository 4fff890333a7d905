import { orgTransaction } from '../../src/database/org-transaction.ts';
import {
  deleteOrganization,
  resumeOrganization,
  suspendOrganization,
} from '../../src/domain/orgs/change-state.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

const change = (
  { database }: World,
  { id: org }: TestOrg,
  now: Date,
  act: typeof resumeOrganization,
): Promise<boolean> =>
  orgTransaction(database, org, 'write', (db) => act({ db, org, now, actor: 'operator', face: 'cli' }));

/** As `rostrum org suspend` does. */
export const suspend = (world: World, org: TestOrg, reason = 'It did not pay.', now = new Date()) =>
  change(world, org, now, (by) => suspendOrganization(by, reason));

export const resume = (world: World, org: TestOrg, now = new Date()) =>
  change(world, org, now, resumeOrganization);

export const deleteOrg = (world: World, org: TestOrg) => change(world, org, new Date(), deleteOrganization);
