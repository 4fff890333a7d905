import type { OrgId } from './ids.ts';

export const permissions = [
  'people.read',
  'people.write',
  'people.delete',
  'webinars.read',
  'webinars.write',
  'broadcasts.read',
  'broadcasts.write',
  'broadcasts.schedule',
  'workflows.read',
  'workflows.write',
  'settings.read',
  'settings.write',
  'events.write',
] as const;
export type Permission = (typeof permissions)[number];

/** What a member of an organization may be, the highest first. */
export const roles = ['owner', 'admin', 'editor', 'sender', 'viewer'] as const;
export type Role = (typeof roles)[number];

const allBut = (...left: readonly Permission[]): readonly Permission[] =>
  permissions.filter((one) => !left.includes(one));

/** Each role is a set of the permissions there are. Owners and admins may also manage access, which no key can. */
export const permissionsOf: Readonly<Record<Role, readonly Permission[]>> = {
  owner: permissions,
  admin: permissions,
  editor: allBut('people.delete', 'broadcasts.schedule'),
  sender: allBut('people.delete'),
  viewer: permissions.filter((one) => one.endsWith('.read')),
};

export const managesAccess = (role: Role): boolean => role === 'owner' || role === 'admin';

/** Whether a member of one role may give or take another: nobody reaches above their own. */
export const reaches = (own: Role, other: Role): boolean =>
  managesAccess(own) && (own === 'owner' || other !== 'owner');

/**
 * What a caller may do beyond its permissions because of how it came in; tool callers have none of these. Only a session
 * has the last two: `manage_access` that of an owner or admin, `leave` that of every member.
 */
export type Power = 'drop_suppression' | 'replace_external_id' | 'replace_names' | 'manage_access' | 'leave';

/** Who asks, on whose behalf, and when. */
export interface Caller {
  readonly org: OrgId;
  readonly actor: { readonly kind: 'api_key' | 'user' | 'service'; readonly id: string };
  /** The tool connection that the user granted and that this call came by. */
  readonly connection?: string | undefined;
  /** Of a member: what the organization made of the user. */
  readonly role?: Role | undefined;
  readonly permissions: ReadonlySet<Permission>;
  readonly powers: ReadonlySet<Power>;
  /** For the audit row and the log only: nothing decides by it. */
  readonly face: 'rest' | 'mcp' | 'engine' | 'cli' | 'account' | 'public';
  readonly requestId: string;
  readonly address: string | null;
  /** By the service's own clock; an operation goes by its organization's, which a test organization may move. */
  readonly now: Date;
  readonly mode: 'live' | 'test';
  /** The organization's currency: money goes out in its major units. */
  readonly currency: string;
  /** Why the organization is suspended, if it is: it reads, and changes nothing. */
  readonly suspended?: string | undefined;
}
