import type { operations } from '../../../src/catalogue/operations.ts';
import { draft } from '../../../benches/plan/bodies.ts';
import { largestBody, longestFilters, longestGraph, rowsOf, type Ground } from './ground.ts';

export type Input = Readonly<Record<string, unknown>>;
type Name = (typeof operations)[number]['name'];
/** Makes the dearest input of an operation, of the usual one if that helps. */
type Dearest = (ground: Ground, usual: Input) => Input;

const text = (length: number): string => 'x'.repeat(length);
const count = <T>(length: number, make: (n: number) => T): T[] => Array.from({ length }, (_, n) => make(n));

/** Nothing in its input makes it dearer. */
const usual: Dearest = (_, input) => input;
const fullPage: Dearest = (_, input) => ({ ...input, limit: 200 });
const ofPerson: Dearest = ({ person: person_id }, input) => ({ ...input, person_id });
const pageOfPerson: Dearest = (ground, input) => ({ ...ofPerson(ground, input), limit: 200 });
const ofSegment: Dearest = ({ segment: segment_id }, input) => ({ ...input, segment_id });
const ofBroadcast: Dearest = ({ broadcast: broadcast_id }, input) => ({ ...input, broadcast_id });
const ofWorkflow: Dearest = ({ workflow: workflow_id }, input) => ({ ...input, workflow_id });
const filtered: Dearest = (_, input) => ({ ...input, filters: longestFilters });

const values = (length: number, each: number): Record<string, string> =>
  Object.fromEntries(count(length, (n) => [`long_${n + 1}`, text(each)]));
const identifiers = {
  email: `${text(60)}@${text(60)}.example`,
  phone: '+15557654321',
  anonymous_id: text(512),
};
const columns = count(100, (n) => `Column ${n}`.padEnd(100, 'x'));

/** The largest pages, longest texts and most entries that a request can hold; a new operation does not compile without. */
export const dearest = {
  search_people: () => ({ query: 'e' }),
  list_people: ({ segment: segment_id }) => ({ segment_id, limit: 200, sort: 'last_name' }),
  get_person: ofPerson,
  list_people_engagement: ({ person }) => ({ person_ids: count(200, () => person) }),
  explain_engagement: ofPerson,
  list_people_views: usual,
  save_people_view: (_, input) => ({ ...input, name: text(60) }),
  delete_people_view: usual,
  identify_person: () => ({
    ...identifiers,
    external_user_id: text(512),
    payment_customer_id: text(512),
    first_name: text(200),
    last_name: text(200),
    custom_properties: values(200, 4_500),
  }),
  update_person: (ground, input) => ({
    ...ofPerson(ground, input),
    first_name: text(200),
    last_name: text(200),
  }),
  replace_external_id: (ground, input) => ({ ...ofPerson(ground, input), external_user_id: text(512) }),
  delete_person: ofPerson,
  list_identifiers: ofPerson,
  add_identifier: usual,
  update_identifier: usual,
  remove_identifier: usual,
  list_property_configs: usual,
  create_property_config: usual,
  update_property_config: (_, input) => ({ ...input, name: text(200), description: text(2_000) }),
  delete_property_config: usual,
  get_person_properties: ofPerson,
  set_person_property: ({ person: person_id }) => ({ person_id, key: 'long_1', value: text(8_192) }),
  delete_person_property: ({ person: person_id }) => ({ person_id, key: 'long_1' }),
  list_segments: () => ({ limit: 2 }), // more of the longest are refused
  get_segment: ofSegment,
  list_segment_members: (ground, input) => ({ ...ofSegment(ground, input), limit: 200 }),
  list_person_segments: ofPerson,
  preview_segment: filtered,
  create_segment: filtered,
  update_segment: filtered,
  delete_segment: usual,
  list_subscriptions: ofPerson,
  get_opt_outs: ofPerson,
  set_opt_outs: ofPerson,
  set_many_opt_outs: ({ person }) => ({
    person_ids: count(200, () => person),
    channel: 'email',
    opt_out: true,
  }),
  list_blacklist: fullPage,
  lift_blacklist_entry: usual,
  create_import: () => ({
    name: text(200),
    columns,
    sample_rows: count(20, () => Object.fromEntries(columns.map((column) => [column, text(300)]))),
  }),
  set_import_mapping: ({ list: import_id }) => ({
    import_id,
    mapping: {
      Customer: 'external_user_id',
      Email: 'email',
      'First name': 'last_name',
      Company: { property: 'company' },
    },
    discard_rows: true,
  }),
  append_import_rows: ({ emptyList: import_id }) => ({ import_id, rows: rowsOf(500, text(1_900)) }),
  mend_import_row: ({ brokenList: import_id }) => ({
    import_id,
    row: 250,
    cells: rowsOf(1, text(8_000))[0],
  }),
  cancel_import: ({ list: import_id }) => ({ import_id }),
  list_data_imports: usual,
  preview_import: ({ list: import_id }) => ({ import_id, merges: 'allow' }),
  commit_import: ({ commitToken: commit_token }) => ({ commit_token }),
  get_import: ({ list: import_id }) => ({ import_id, limit: 200 }),
  list_person_events: pageOfPerson,
  list_person_registrations: pageOfPerson,
  list_person_deliveries: pageOfPerson,
  record_events: () => ({
    events: count(500, (n) => ({
      event_name: text(200),
      email: `new-${n}@example.org`,
      custom_properties: { told: text(1_500) },
    })),
  }),
  create_webinar: usual,
  get_webinar: usual,
  list_webinars: fullPage,
  update_webinar: usual,
  reschedule_webinar: usual,
  preview_reschedule: usual,
  cancel_webinar: usual,
  delete_webinar: usual,
  register_for_webinar: ({ webinar: webinar_id }) => ({
    webinar_id,
    user: { ...identifiers, full_name: text(200), properties: values(110, 8_192) },
  }),
  unregister_from_webinar: usual,
  get_registration_page: usual,
  update_registration_page: (_, input) => ({
    ...input,
    description: text(4_000),
    consent_text: text(2_000),
    fields: [
      { field: 'email', required: true },
      ...count(19, (n) => ({ property: `long_${n + 1}`, label: text(120) })),
    ],
  }),
  list_registrations: fullPage,
  find_registrants: usual,
  report_attendance: usual,
  report_many_attendance: (_, input) => ({
    ...input,
    rows: count(200, (n) => ({ email: `p${n}@example.com` })),
  }),
  create_broadcast: () => draft(largestBody),
  update_broadcast: (ground) => ({ ...ofBroadcast(ground, {}), html: `<p>x</p>${largestBody}` }),
  list_broadcast_variables: usual,
  plan_broadcast: ofBroadcast,
  schedule_broadcast: (ground) => ({ ...ofBroadcast(ground, {}), plan_token: ground.planToken }),
  unschedule_broadcast: usual,
  recount_broadcast: usual,
  release_broadcast: (_, input) => ({ ...input, counted: 6_001 }), // everybody on the ground
  plan_resend_uncertain: usual,
  resend_uncertain: usual,
  stop_broadcast: usual,
  get_broadcast_stats: usual,
  explain_recipient: usual,
  list_broadcast_recipients: fullPage,
  get_broadcast: ofBroadcast,
  list_broadcasts: fullPage,
  preview_broadcast: ofBroadcast,
  test_broadcast: (ground) => ({
    ...ofBroadcast(ground, {}),
    to: count(5, (n) => `me-${n}@example.com`),
    person_id: ground.person,
  }),
  delete_broadcast: ofBroadcast,
  simulate_workflow: ({ simulated: workflow_id, webinar: webinar_id }) => ({ workflow_id, webinar_id }),
  list_workflows: fullPage,
  survey_workflows: (ground, input) => ({ ...fullPage(ground, input), query: text(200) }),
  get_workflow_version: (ground) => ({ ...ofWorkflow(ground, {}), version: 1 }),
  get_workflow: ofWorkflow,
  create_workflow: () => ({ name: text(200), graph: longestGraph('a') }),
  update_workflow: (ground) => ({ ...ofWorkflow(ground, {}), graph: longestGraph('b') }),
  publish_workflow: (ground) => ofWorkflow(ground, {}),
  pause_workflow: ofWorkflow,
  resume_workflow: usual,
  delete_workflow: usual,
  list_workflow_runs: fullPage,
  get_workflow_changes: usual,
  list_workflow_people: fullPage,
  get_workflow_run: usual,
  list_run_messages: usual,
  list_person_runs: pageOfPerson,
  list_senders: usual,
  create_sender: usual,
  update_sender: usual,
  delete_sender: usual,
  list_sending_domains: fullPage,
  get_sending_domain: usual,
  check_sending_domain: usual,
  delete_sending_domain: usual,
  get_email_layout: usual,
  update_email_layout: usual,
  set_sms_number: usual,
  list_platform_connections: usual,
  connect_platform: usual,
  delete_platform_connection: usual,
  link_webinar: usual,
  get_webinar_link: usual,
  unlink_webinar: usual,
  get_settings: usual,
  update_settings: (_, input) => ({ ...input, test_recipients: count(100, (n) => `me-${n}@example.com`) }),
  get_usage: usual,
  get_test_clock: usual,
  move_test_clock: usual,
  get_me: usual,
  leave_organization: usual,
  list_members: fullPage,
  change_member_role: usual,
  remove_member: usual,
  list_invitations: usual,
  invite_member: usual,
  revoke_invitation: usual,
  list_api_keys: fullPage,
  create_api_key: usual,
  revoke_api_key: usual,
  list_audit_log: fullPage,
  list_connections: fullPage,
  end_connection: usual,
} satisfies Record<Name, Dearest>;
