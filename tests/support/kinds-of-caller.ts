import { permissionsOf, roles, type Permission, type Power } from '../../src/kernel/caller.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { waysTo, type Way } from './call-operation.ts';
import { newConnection } from './connection.ts';
import { newMember } from './member.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

/** One way to be somebody in an organization. What holds for every operation holds for each of these. */
export interface KindOfCaller {
  readonly kind: string;
  /** The ways to an operation that such a caller has; none, if it is not for them. */
  ways(operation: AnyOperation): Way[];
  /** Whether there is a caller of this kind that lacks the permission. */
  canLack(permission: Permission): boolean;
  /** A caller with all of these permissions and as few others as there can be. */
  having(world: World, org: TestOrg, wanted: readonly Permission[]): Promise<TestOrg>;
  /** A caller without the permission and with as many others as there can be. */
  lacking(world: World, org: TestOrg, permission: Permission): Promise<TestOrg>;
}

const ofSessions: ReadonlySet<Power | undefined> = new Set<Power>(['manage_access', 'leave']);

const byKey: KindOfCaller = {
  kind: 'key',
  ways: (operation) => (ofSessions.has(operation.power) ? [] : waysTo(operation)),
  canLack: () => true,
  having: (world, org, wanted) => world.newKey(org, wanted),
  lacking: (world, org, permission) =>
    world.newKey(
      org,
      permissionsOf.owner.filter((one) => one !== permission),
    ),
};

/** A member's permissions are those of the role. Members do not call tools by their session. */
const bySession: KindOfCaller = {
  kind: 'session',
  ways: (operation) => waysTo(operation).filter(({ name }) => !name.startsWith('tool ')),
  canLack: (permission) => roles.some((role) => !permissionsOf[role].includes(permission)),
  having: (world, org, wanted) =>
    // Whatever manages access takes more than its permission, so an owner stands for those who may change settings.
    newMember(
      world,
      org,
      wanted.includes('settings.write')
        ? 'owner'
        : roles.findLast((role) => wanted.every((permission) => permissionsOf[role].includes(permission)))!,
    ),
  lacking: (world, org, permission) =>
    newMember(
      world,
      org,
      ['sender', 'editor', 'viewer'].find(
        (one) => !permissionsOf[one as 'viewer'].includes(permission),
      ) as 'viewer',
    ),
};

/** A connection calls tools alone, by what an owner granted it. It cannot be granted nothing. */
const byConnection: KindOfCaller = {
  kind: 'connection',
  ways: (operation) =>
    ofSessions.has(operation.power) ? [] : waysTo(operation).filter(({ name }) => name.startsWith('tool ')),
  canLack: () => true,
  having: (world, org, wanted) => newConnection(world, org, wanted.length === 0 ? ['webinars.read'] : wanted),
  lacking: (world, org, permission) =>
    newConnection(
      world,
      org,
      permissionsOf.owner.filter((one) => one !== permission),
    ),
};

export const kindsOfCaller: readonly KindOfCaller[] = [byKey, bySession, byConnection];

export type KindName = 'key' | 'session' | 'connection';

/** Every operation that is for one kind of caller. */
export const withKind = <Operation extends AnyOperation>(kind: KindName, operations: readonly Operation[]) =>
  kindsOfCaller
    .filter((caller) => caller.kind === kind)
    .flatMap((caller) =>
      operations
        .filter((operation) => caller.ways(operation).length > 0)
        .map((operation) => ({ name: operation.name, kind, operation, caller })),
    );
