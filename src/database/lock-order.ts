/**
 * The order in which a transaction takes its locks (ADR 49): it never waits for a lock while it holds one further down.
 * `lock` precedes a name of locks.ts; all other names are tables. Locks of one level are never taken together, or in
 * the order of ids. tests/locks/order.test.ts watches every operation and every step of the engine.
 */
export const lockOrder: readonly (readonly string[])[] = [
  ['lock idempotency_key'],
  ['organization_removals'],
  ['organizations', 'allowances', 'api_keys', 'email_layouts', 'rate_windows', 'sms_numbers'],
  ['members', 'invitations'],
  // A connection is the lock of its families of tokens.
  ['connections'],
  ['connection_families'],
  ['lock adding_property_config', 'lock adding_sender', 'lock connecting_platform'],
  ['lock deleting_property_config'],
  ['property_configs'],
  ['property_removals'],
  ['lock saving_people_view'],
  ['people_views'],
  ['imports'],
  ['segments'],
  ['sending_domains'],
  ['senders'],
  ['platform_connections'],
  ['lock release'],
  ['tracking_hits'],
  // A release locks people after its clock, and skips those that are locked.
  ['people'],
  ['broadcasts not yet prepared'],
  ['lock clock'],
  ['webinars'],
  ['platform_links', 'registration_pages'],
  ['workflows'],
  ['registrations'],
  ['waits'],
  ['delivery_lanes'],
  ['deliveries'],
  ['broadcasts'],
  // Written together with a broadcast's totals, while the broadcast is held.
  ['broadcast_reasons', 'broadcast_tallies', 'broadcast_links'],
  ['receiving_domains'],
  ['allowance_uses'],
  ['idempotent_answers'],
];

/**
 * The same for the schema auth, whose transactions lock nothing of organizations. A user who is not there yet cannot be
 * held: the links of the address are, before the account is made. What is over is deleted where nobody holds it.
 */
export const accountLockOrder: readonly (readonly string[])[] = [
  ['setup'],
  ['users'],
  ['links'],
  ['attempts'],
  ['clients'],
  ['used_challenges'],
  ['passkeys', 'identities', 'recovery_codes'],
  ['sessions'],
  ['audit_log'],
];

/**
 * Tables of rows that belong to a person, written only while the person is held: `alone` in any order, else in the
 * order of ids. The person is the lock.
 */
export const ofPeople: ReadonlySet<string> = new Set([
  'connection_invites',
  'email_blacklist',
  'events',
  'identifiers',
  'merged_people',
  'named_events',
  'opt_outs',
  'property_changes',
  'property_pages',
  'property_values',
  'purchases',
  'signals',
  'subscriptions',
  'tasks',
  'test_sends',
  'workflow_runs',
]);

/** Locks that may be taken at any time: a holder never waits for a lock held by a transaction that wants this one. */
export const atAnyTime: ReadonlySet<string> = new Set([
  'lock tidying', // never waited for
  'lock giving_numbers', // exclusive only to remember a number, as the last lock taken
  'delivery_queue', // written with its row of the ledger, which is held
  'delivery_windows', // written while the lane is held
  'installation', // written as the last lock taken
  'wait_clocks', // written while that clock is held or shared
  'import_parts', // written while the import is held
  'import_failures',
  'workflow_versions', // go with their workflow
  'suppressed_addresses', // written while the person with that address or the lock of numbers is held
  // Rows are only added; folding skips those that are locked.
  'audit_log',
  'outbox',
  'people_counts',
  'workflow_run_counts',
]);
