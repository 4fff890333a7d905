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

/** What a caller may do beyond its permissions because of how it came in; tool callers have none of these. */
export type Power = 'drop_suppression' | 'replace_external_id' | 'replace_names';

/** Who asks, on whose behalf, and when. */
export interface Caller {
  readonly org: OrgId;
  readonly actor: { readonly kind: 'api_key' | 'user' | 'service'; readonly id: string };
  readonly permissions: ReadonlySet<Permission>;
  readonly powers: ReadonlySet<Power>;
  /** For the audit row and the log only: nothing decides by it. */
  readonly face: 'rest' | 'mcp' | 'engine' | 'cli';
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
