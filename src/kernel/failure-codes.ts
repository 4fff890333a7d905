export type FailureKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'unsupported'
  | 'rate_limited'
  | 'unavailable'
  | 'internal';

interface Meaning {
  readonly kind: FailureKind;
  readonly title: string;
  /** What the caller does next; shown on the error's own page. */
  readonly next: string;
}

/** Every way the service can refuse. Each has a page under /docs/errors/. */
export const failureCodes = {
  invalid_request: {
    kind: 'invalid',
    title: 'The request is not valid',
    next: 'Read `errors`: each entry points at a field and says what it takes. Mend those and send it again.',
  },
  malformed_json: {
    kind: 'invalid',
    title: 'The body is not valid JSON',
    next: 'Send one JSON object, encoded as UTF-8.',
  },
  property_not_configured: {
    kind: 'invalid',
    title: 'A custom property has no config',
    next: 'Create the property config first, or leave the key out. Nothing was written.',
  },
  reserved_key: {
    kind: 'invalid',
    title: 'The property key is reserved',
    next: 'Keys of the form webinar_<outcome>_<session uuid> belong to the service. Choose another key.',
  },
  unauthenticated: {
    kind: 'unauthenticated',
    title: 'No valid credential',
    next: 'Send the API key bare in `Authorization` together with `Auth-Type: api`. Check that it is not revoked or expired.',
  },
  forbidden: {
    kind: 'forbidden',
    title: 'The credential lacks a permission',
    next: 'Use a key that has the permission named in `detail`, or ask whoever runs the installation for one: `rostrum key create --org ID --name NAME --permissions a,b`.',
  },
  last_owner: {
    kind: 'conflict',
    title: 'An organization has an owner',
    next: 'Make another member an owner first.',
  },
  already_member: {
    kind: 'conflict',
    title: 'This user is a member already',
    next: 'Change their role instead.',
  },
  organization_suspended: {
    kind: 'forbidden',
    title: 'The organization is suspended',
    next: 'Nothing is sent and nothing changes until whoever runs the installation resumes it: `rostrum org resume ID`. `detail` says why it was suspended. Reading works as before, and so does opting people out.',
  },
  not_found: {
    kind: 'not_found',
    title: 'Not found in this organization',
    next: 'Check the id. Ids of other organizations are never found.',
  },
  route_not_found: {
    kind: 'not_found',
    title: 'There is no such route',
    next: 'See /docs for every route and its method.',
  },
  duplicate_key: {
    kind: 'conflict',
    title: 'The key is taken',
    next: 'Use the existing config, or choose another key.',
  },
  registration_page_changed: {
    kind: 'conflict',
    title: 'The registration page was changed meanwhile',
    next: 'Read it again, carry your change over to what it is now, and send that with its new `revision`.',
  },
  slug_taken: {
    kind: 'conflict',
    title: 'Another page has the address',
    next: 'Choose another slug, or leave it out: one is made of the title.',
  },
  identifier_taken: {
    kind: 'conflict',
    title: 'Another person holds that identifier',
    next: 'If both are the same human, identify_person with both identifiers merges them; that cannot be undone.',
  },
  number_taken: {
    kind: 'conflict',
    title: 'Another organization has the number',
    next: 'It was proven to be theirs. Take another number, or have them give it up first.',
  },
  suppressed: {
    kind: 'conflict',
    title: 'The person is suppressed',
    next: 'Deleting would forget an opt-out or a blacklist entry. If that is meant: DELETE /v1/people/{person_id}?drop_suppression=true.',
  },
  complaint_stands: {
    kind: 'conflict',
    title: 'A complaint stands for good',
    next: 'Nothing more goes to that address. If its holder wants to hear from you again, ask them for another one.',
  },
  still_referenced: {
    kind: 'conflict',
    title: 'Other records still point at it',
    next: '`detail` says what still needs it. Finish, reassign or unschedule that first, then delete.',
  },
  already_used: {
    kind: 'conflict',
    title: 'It was used, and stays on record',
    next: 'Only what nobody registered for, ran through or got a message of can be deleted. Cancel a webinar, pause a workflow.',
  },
  system_segment: {
    kind: 'conflict',
    title: 'The segment is kept by the service',
    next: 'Segments with `is_system: true` can be read and used, not changed or deleted. Create one of your own.',
  },
  plan_stale: {
    kind: 'conflict',
    title: 'The plan is stale',
    next: 'Something the plan was made of changed since: `errors` names each. Plan again, show it to whoever decides, then schedule.',
  },
  plan_expired: {
    kind: 'conflict',
    title: 'The plan has expired',
    next: 'A plan is good for one hour. Plan again and schedule with the new token.',
  },
  plan_blocked: {
    kind: 'invalid',
    title: 'Something blocks scheduling',
    next: 'Each of `errors` is a check that fails now. Mend those and plan again.',
  },
  second_key_needed: {
    kind: 'forbidden',
    title: 'Another credential must schedule this',
    next: 'This organization sends with two keys: whoever planned may not schedule. Hand the token to the holder of another key.',
  },
  broadcast_scheduled: {
    kind: 'conflict',
    title: 'The broadcast is scheduled',
    next: 'Unschedule it first; it is a draft then and can be changed and planned again.',
  },
  broadcast_changed: {
    kind: 'conflict',
    title: 'The broadcast was changed meanwhile',
    next: 'Read it again, carry your change over to what it is now, and send that with its new `revision`.',
  },
  no_body: {
    kind: 'conflict',
    title: 'The broadcast has no body yet',
    next: 'Write html for an email or message_body for a text, then ask again.',
  },
  broadcast_unfinished: {
    kind: 'conflict',
    title: 'The broadcast cannot be sent as it stands',
    next: 'Each of `errors` is something it lacks. Mend those with update_broadcast, then ask again.',
  },
  failed_to_begin: {
    kind: 'conflict',
    title: 'The broadcast failed before it began',
    next: 'Nothing was sent; `error` of the broadcast says why. Unschedule it to make it a draft again.',
  },
  not_scheduled: {
    kind: 'conflict',
    title: 'The broadcast is not scheduled',
    next: 'Only a scheduled broadcast can be taken back. A draft needs nothing.',
  },
  not_finished: {
    kind: 'conflict',
    title: 'The broadcast is not over',
    next: 'Only a broadcast that has ended can be sent again to some of its recipients. Read it to see where it stands.',
  },
  nobody_to_resend: {
    kind: 'conflict',
    title: 'Nobody is left to send to again',
    next: 'Everybody whom the plan counted has it by now, or was deleted. There is nothing to do.',
  },
  not_held: {
    kind: 'conflict',
    title: 'The broadcast is not held',
    next: 'Only a broadcast that shows `held` can be released. Read it to see where it stands.',
  },
  audience_changed: {
    kind: 'conflict',
    title: 'The audience changed again',
    next: 'It differs too much from the count that was shown. Recount it, show the person the fresh figures, and release with those.',
  },
  sending_begun: {
    kind: 'conflict',
    title: 'Sending has begun',
    next: 'It can no longer be changed or taken back. Create a new broadcast for what comes next.',
  },
  not_sending: {
    kind: 'conflict',
    title: 'The broadcast is not being sent',
    next: 'Only a broadcast in the state `sending` can be stopped. Unschedule one that is scheduled; what was sent cannot be called back.',
  },
  already_received: {
    kind: 'conflict',
    title: 'Somebody has received the broadcast',
    next: 'What was sent stays on record. Only a broadcast that nobody received can be deleted.',
  },
  workflow_incomplete: {
    kind: 'invalid',
    title: 'The workflow cannot be published yet',
    next: 'Each of `errors` keeps it from going live. Mend those with update_workflow and publish again.',
  },
  workflow_changed: {
    kind: 'conflict',
    title: 'The workflow was changed meanwhile',
    next: 'Read it again, carry your change over to what it is now, and send that with its new `revision`.',
  },
  not_published: {
    kind: 'conflict',
    title: 'The workflow was never published',
    next: 'A draft runs for nobody, so there is nothing to pause or to resume. Publish it first.',
  },
  webinar_canceled: {
    kind: 'conflict',
    title: 'The webinar is canceled',
    next: 'A canceled webinar takes no registrations and cannot be moved or changed back. Create a new one.',
  },
  registration_not_found: {
    kind: 'not_found',
    title: 'Nobody like this is registered for the webinar',
    next: 'Register the person first, or check the email or user_id. Nobody was created.',
  },
  import_not_mapped: {
    kind: 'conflict',
    title: 'The import has no mapping yet',
    next: 'Save a mapping with set_import_mapping first: rows are checked against it.',
  },
  import_committed: {
    kind: 'conflict',
    title: 'The import is committed',
    next: 'A committed import goes on and can no longer be changed or canceled. get_import tells how far it is.',
  },
  import_has_rows: {
    kind: 'conflict',
    title: 'Rows were checked against the former mapping',
    next: 'Send `discard_rows: true` to change the mapping and let go of the rows, then append them again.',
  },
  import_busy: {
    kind: 'conflict',
    title: 'Another call is changing this import',
    next: 'Rows are taken in the order of calls, one call at a time. Wait for the other answer, then send this one again.',
  },
  import_changed: {
    kind: 'conflict',
    title: 'The import is not what was previewed',
    next: 'Something it depends on changed since the preview: `errors` names each. Preview again and commit with the new token.',
  },
  commit_token_expired: {
    kind: 'conflict',
    title: 'The commit token has expired',
    next: 'A token is good for one hour. Preview again and commit with the new one.',
  },
  test_mode_only: {
    kind: 'forbidden',
    title: 'For test organizations only',
    next: 'Use an organization made for testing, with its rk_test_ key.',
  },
  idempotency_key_reused: {
    kind: 'conflict',
    title: 'The idempotency key was used for another request',
    next: 'Use a new Idempotency-Key for a new request.',
  },
  idempotency_in_progress: {
    kind: 'conflict',
    title: 'A request with this idempotency key is still running',
    next: 'Wait for `Retry-After` and send the same request again.',
  },
  too_large: {
    kind: 'too_large',
    title: 'The request is too large',
    next: 'Send less in one request.',
  },
  unsupported_media_type: {
    kind: 'unsupported',
    title: 'The body is not of the type this route takes',
    next: 'Send `Content-Type: application/json`. A file for POST /v1/imports/csv is `text/csv`.',
  },
  rate_limited: {
    kind: 'rate_limited',
    title: 'Too many requests',
    next: 'Wait for `Retry-After` seconds. `RateLimit-Policy` tells the allowance.',
  },
  unavailable: {
    kind: 'unavailable',
    title: 'The service cannot answer now',
    next: 'Wait for `Retry-After` seconds and send the request again, with an Idempotency-Key if it writes.',
  },
  internal: {
    kind: 'internal',
    title: 'Something broke on our side',
    next: 'Send the request again with an Idempotency-Key. If it persists, report the request id.',
  },
} as const satisfies Record<string, Meaning>;

export type FailureCode = keyof typeof failureCodes;

export const isFailureCode = (text: string): text is FailureCode => Object.hasOwn(failureCodes, text);

export const meaningOf = (code: FailureCode): Meaning => failureCodes[code];
