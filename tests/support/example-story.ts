import { operations } from '../../src/catalogue/operations.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { demonstrationWorkflow } from '../../src/main/demonstration-workflow.ts';
import { sendCsv } from '../imports/send-csv.ts';
import { waysTo } from './call-operation.ts';
import { newConnection } from './connection.ts';
import { newMember, type TestMember } from './member.ts';
import type { TestOrg } from './test-org.ts';
import type { World } from './world.ts';

type Name = (typeof operations)[number]['name'];
// oxlint-disable-next-line typescript/no-explicit-any
type Answered = Record<string, any>;

export interface Told {
  readonly input: Record<string, unknown>;
  readonly output: Answered;
}

const firstName = { variable: '{{context.root_context.org_user.first_name}}', fallback: 'there' };
const customers = [
  { property: 'subscription_status', op: 'in', values: ['active', 'trialing'] },
  { custom_property_key: 'seats', op: 'gt', value: 10 },
];

/** Every operation once, over REST, in the demonstration organization: what each was asked and answered. */
export async function tellStory(world: World, org: TestOrg): Promise<Map<string, Told>> {
  const { admin, clock } = world;
  const told = new Map<string, Told>();
  const owner = await newMember(world, org, 'owner');
  const ask = async (name: Name, input: Record<string, unknown> = {}): Promise<Answered> => {
    const operation: AnyOperation = operations.find((one) => one.name === name)!;
    const { status, body } = await waysTo(operation)[0]!.call(
      operation.power === undefined ? org : owner,
      input,
    );
    if (status >= 300) throw new Error(`${name} was refused: ${JSON.stringify(body)}`);
    const output = JSON.parse(JSON.stringify(body).replaceAll(/rk_test_[\w-]+/g, 'rk_…')) as Answered;
    told.set(name, { input, output });
    return body as Answered;
  };
  const inDays = (days: number): string =>
    new Date(Math.ceil(clock.now().getTime() / 3_600_000) * 3_600_000 + days * 86_400_000).toISOString();

  await aboutPeople(ask);
  await aboutBlacklist(ask, admin, org);
  await aboutImports(ask);
  told.set('import_csv', await sendFile(org));
  told.set('export_people', await takeFile(org, 'people', { subscription_status: 'trialing' }));
  const { workflow_id, webinar_id } = await aboutWebinars(ask, inDays);
  const registrants = await takeFile(org, `webinars/${webinar_id}/registrations`, {});
  told.set('export_registrations', registrants);
  await aboutWorkflows(ask, workflow_id, webinar_id);
  const sent = await aboutBroadcasts(
    ask,
    inDays,
    (id, changed) => admin.query(`update broadcasts set ${changed} where id = $1`, [id]),
    (id) =>
      admin.query(
        `update deliveries set state = 'uncertain', reason = 'interrupted', sent_at = null, delivered_at = null,
           opened_at = null, clicked_at = null
         where id in (select id from deliveries where broadcast_id = $1 and state = 'sent' order by id limit 3)`,
        [id],
      ),
  );
  const recipients = await takeFile(org, `broadcasts/${sent}/recipients`, { opened: 'true' });
  told.set('export_broadcast_recipients', recipients);
  await aboutSenders(ask, admin);
  await ask('get_settings');
  await ask('update_settings', { timezone: 'Europe/Paris' });
  await ask('get_usage');
  await ask('get_test_clock');
  await ask('move_test_clock', { advance: 3_600 });
  await newMember(world, org, 'owner'); // the last owner could not leave
  await newConnection(world, org, ['people.read', 'broadcasts.read']);
  await aboutAccess(ask, await newMember(world, org, 'editor'));
  return told;
}

type Ask = (name: Name, input?: Record<string, unknown>) => Promise<Answered>;

async function aboutAccess(ask: Ask, { user: { userId: user_id } }: TestMember): Promise<void> {
  await ask('get_me');
  await ask('list_members');
  await ask('change_member_role', { user_id, role: 'sender' });
  await ask('remove_member', { user_id });
  const { invitation } = await ask('invite_member', { email: 'robin@example.com', role: 'editor' });
  await ask('list_invitations');
  await ask('revoke_invitation', { invitation_id: invitation.invitation_id });
  const { api_key } = await ask('create_api_key', {
    name: 'Shop',
    permissions: ['people.read', 'people.write'],
  });
  await ask('list_api_keys', { limit: 2 });
  await ask('revoke_api_key', { api_key_id: api_key.api_key_id });
  await ask('list_audit_log', { operation: 'remove_member' });
  const [made] = (await ask('list_connections'))['connections'];
  await ask('end_connection', { tool_connection_id: made.id });
  await ask('leave_organization');
}

async function aboutPeople(ask: Ask): Promise<void> {
  const { people } = await ask('list_people', { subscription_status: 'active', sort: 'mrr', limit: 2 });
  const person_id: string = people[0].id;
  await ask('search_people', { query: people[0].primary_email });
  await ask('get_person', { person_id });
  await ask('update_person', { person_id, last_name: 'Miller' });
  await ask('list_subscriptions', { person_id });
  await ask('list_person_events', { person_id, limit: 3 });
  await ask('list_person_registrations', { person_id, limit: 2 });
  await ask('list_person_deliveries', { person_id, limit: 2 });
  await ask('list_property_configs');
  const made = await ask('create_property_config', {
    key: 'favorite_topic',
    name: 'Favorite topic',
    type: 'string',
  });
  const config_id: string = made['property_config'].id;
  await ask('update_property_config', { config_id, description: 'What they asked about first' });
  await ask('set_person_property', { person_id, key: 'favorite_topic', value: 'pricing' });
  await ask('get_person_properties', { person_id });
  await ask('delete_person_property', { person_id, key: 'favorite_topic' });
  await ask('delete_property_config', { config_id });
  const identified = await ask('identify_person', {
    email: 'guest@example.com',
    external_user_id: 'guest-1',
    first_name: 'Sam',
    custom_properties: { seats: 12 },
  });
  const guest: string = identified['person_id'];
  await ask('replace_external_id', { person_id: guest, external_user_id: 'customer-1' });
  const second = { person_id: guest, identifier_type: 'email', identifier_value: 'sam@example.org' };
  await ask('add_identifier', { ...second, is_contact_method: true });
  const { identifiers } = await ask('list_identifiers', { person_id: guest });
  const { id: identifier_id } = identifiers.find(
    (one: Answered) => one['identifier_value'] === 'sam@example.org',
  );
  await ask('update_identifier', { person_id: guest, identifier_id, is_contact_method: false });
  await ask('remove_identifier', { person_id: guest, identifier_id });
  await ask('set_opt_outs', { person_id, sms_opt_out: true });
  await ask('get_opt_outs', { person_id });
  await ask('set_many_opt_outs', { person_ids: [person_id], channel: 'email', opt_out: true });
  await ask('set_many_opt_outs', { person_ids: [person_id], channel: 'email', opt_out: false });
  await ask('list_people_engagement', { person_ids: [person_id] });
  await ask('explain_engagement', { person_id });
  await ask('list_person_segments', { person_id });
  await ask('list_person_runs', { person_id });
  const { view } = await ask('save_people_view', {
    name: 'Paying',
    filters: { subscription_status: 'active', mrr_gte: 20 },
    sort: 'mrr',
    columns: ['health_band', 'mrr', 'last_opened_at'],
  });
  await ask('list_people_views');
  await ask('delete_people_view', { view_id: view.id });
  await ask('record_events', {
    event_name: 'demo_requested',
    email: 'guest@example.com',
    custom_properties: { page: '/pricing' },
    event_id: 'demo-1',
  });
  await ask('delete_person', { person_id: guest, reason: 'They asked for it' });
  await aboutSegments(ask);
}

async function aboutBlacklist(ask: Ask, admin: World['admin'], { id }: TestOrg): Promise<void> {
  const { people } = await ask('list_people', { subscription_status: 'active', sort: 'mrr', limit: 2 });
  await admin.query(
    `insert into email_blacklist (org_id, id, person_id, email, reason, created_at)
     values ($1, gen_random_uuid(), $2, $3, 'bounced', now())`,
    [id, people[1].id, people[1].primary_email],
  );
  const { entries } = await ask('list_blacklist', { person_id: people[1].id });
  await ask('lift_blacklist_entry', { blacklist_entry_id: entries[0].id, reason: 'The mailbox works again' });
}

async function aboutSegments(ask: Ask): Promise<void> {
  await ask('preview_segment', { filters: customers });
  const made = await ask('create_segment', {
    name: 'Large customers',
    color: '#2563eb',
    filters: customers,
  });
  const segment_id: string = made['segment'].id;
  await ask('update_segment', { segment_id, description: 'More than ten seats' });
  await ask('get_segment', { segment_id });
  await ask('list_segments', { limit: 2 });
  await ask('list_segment_members', { segment_id, limit: 2 });
  await ask('delete_segment', { segment_id });
}

async function aboutImports(ask: Ask): Promise<void> {
  const columns = ['E-mail', 'First name', 'News'];
  const row = { 'E-mail': 'dora@example.com', 'First name': 'Dora', News: 'yes' };
  const draft = { name: 'Spring fair', columns, sample_rows: [row] };
  const { import_id } = await ask('create_import', draft);
  const mapping = { 'E-mail': 'email', 'First name': 'first_name', News: 'subscribed_to_emails' };
  await ask('set_import_mapping', { import_id, mapping });
  await ask('append_import_rows', { import_id, rows: [row, { ...row, 'E-mail': 'emil' }] });
  await ask('mend_import_row', { import_id, row: 2, cells: { ...row, 'E-mail': 'emil@example.com' } });
  const { commit_token } = await ask('preview_import', { import_id });
  await ask('commit_import', { commit_token });
  await ask('get_import', { import_id });
  await ask('list_data_imports');
  const other = await ask('create_import', draft);
  await ask('cancel_import', { import_id: other['import_id'] });
}

async function takeFile(org: TestOrg, path: string, input: Record<string, string>): Promise<Told> {
  const query = new URLSearchParams(input).toString();
  const answer = await fetch(`${org.url}/v1/${path}/export?${query}`, { headers: org.credential });
  const lines = (await answer.text()).split('\r\n');
  return { input, output: { body: lines.slice(0, 3).join('\r\n') } };
}

/** No operation, as are exports. */
async function sendFile(org: TestOrg): Promise<Told> {
  const body = 'E-mail;First name\ndora@example.com;Dora\nemil@example.com;Emil\n';
  const mapping = { 'E-mail': 'email', 'First name': 'first_name' };
  const { body: output } = await sendCsv(org, { name: 'Autumn fair', mapping }, body);
  return { input: { name: 'Autumn fair', body }, output: output as Answered };
}

async function aboutWebinars(ask: Ask, inDays: (days: number) => string) {
  const webinar = {
    title: 'Getting started',
    start_time: inDays(7),
    timezone: 'Europe/Paris',
    duration_minutes: 45,
    join_url: 'https://example.com/join',
  };
  const made = await ask('create_webinar', { webinar });
  const webinar_id: string = made['webinar'].id;
  await ask('get_webinar', { webinar_id });
  await ask('update_webinar', { webinar_id, duration_minutes: 60 });
  const { senders } = await ask('list_senders');
  const flow = await ask('create_workflow', demonstrationWorkflow(webinar_id, senders[0].id));
  const workflow_id: string = flow['workflow'].id;
  await ask('publish_workflow', { workflow_id });
  const user = { email: 'alex@example.com', first_name: 'Alex' };
  await ask('update_registration_page', {
    webinar_id,
    slug: 'getting-started',
    description: 'An hour for newcomers.',
  });
  await ask('get_registration_page', { webinar_id });
  await ask('register_for_webinar', { webinar_id, user });
  await ask('list_registrations', { webinar_id, limit: 2 });
  await ask('preview_reschedule', { webinar_id, start_time: inDays(8) });
  await ask('reschedule_webinar', { webinar_id, start_time: inDays(8) });
  await ask('find_registrants', { webinar_id, query: 'alex' });
  await ask('report_attendance', { webinar_id, email: 'alex@example.com' });
  const rows = [{ email: 'alex@example.com', attended: true }, { email: 'nobody@example.com' }];
  await ask('report_many_attendance', { webinar_id, rows });
  await ask('list_webinars', { phase: 'ended', limit: 2 });
  const made_connection = await ask('connect_platform', {
    platform: 'zoom',
    account_id: 'an-account',
    client_id: 'a-client',
    client_secret: 'kept-sealed-and-never-shown',
    webhook_secret_token: 'kept-sealed-too',
  });
  const connection_id: string = made_connection['platform_connection'].id;
  await ask('list_platform_connections');
  await ask('link_webinar', { webinar_id, connection_id, event_id: '12345678901' });
  await ask('get_webinar_link', { webinar_id });
  await ask('unlink_webinar', { webinar_id });
  await ask('delete_platform_connection', { connection_id });
  const { webinar: dropped } = await ask('create_webinar', { webinar });
  await ask('cancel_webinar', { webinar_id: dropped.id });
  const { webinar: unused } = await ask('create_webinar', { webinar });
  await ask('delete_webinar', { webinar_id: unused.id });
  await ask('unregister_from_webinar', { webinar_id, email: 'alex@example.com' });
  return { workflow_id, webinar_id };
}

async function aboutWorkflows(ask: Ask, workflow_id: string, webinar_id: string): Promise<void> {
  await ask('list_workflows', { status: 'live', limit: 2 });
  await ask('survey_workflows', { limit: 2 });
  await ask('get_workflow', { workflow_id });
  await ask('get_workflow_changes', { workflow_id });
  await ask('get_workflow_version', { workflow_id, version: 1 });
  await ask('update_workflow', { workflow_id, name: 'Getting started: reminders' });
  await ask('simulate_workflow', { workflow_id, version: 'live', webinar_id });
  const { runs } = await ask('list_workflow_runs', { workflow_id, limit: 2 });
  await ask('list_workflow_people', { workflow_id, limit: 2 });
  await ask('get_workflow_run', { run_id: runs[0].id });
  await ask('list_run_messages', { run_id: runs[0].id });
  await ask('pause_workflow', { workflow_id });
  await ask('resume_workflow', { workflow_id });
  const { workflow: unused } = await ask('create_workflow', { name: 'An idea' });
  await ask('delete_workflow', { workflow_id: unused.id });
}

async function aboutBroadcasts(
  ask: Ask,
  inDays: (days: number) => string,
  change: (id: string, columns: string) => Promise<unknown>,
  doubt: (id: string) => Promise<unknown>,
): Promise<string> {
  const { broadcasts } = await ask('list_broadcasts', { status: 'sent', limit: 2 });
  const sent: string = broadcasts[0].id;
  await ask('get_broadcast', { broadcast_id: sent });
  await ask('get_broadcast_stats', { broadcast_id: sent });
  const { recipients } = await ask('list_broadcast_recipients', { broadcast_id: sent, limit: 2 });
  await ask('explain_recipient', { broadcast_id: sent, person_id: recipients[0].person_id });
  await doubt(sent);
  const { resend_token } = await ask('plan_resend_uncertain', { broadcast_id: sent });
  await ask('resend_uncertain', { broadcast_id: sent, resend_token });
  await ask('list_broadcast_variables');
  const { senders } = await ask('list_senders');
  const draft = {
    audience: 'everyone',
    sender_id: senders[0].id,
    subject: 'What is new',
    html: '<p>Hi {{var_name}},</p><p>we have <a href="https://example.com/news">news</a>.</p>',
    variables: { var_name: firstName },
  };
  const made = await ask('create_broadcast', draft);
  const broadcast_id: string = made['broadcast'].id;
  await ask('update_broadcast', { broadcast_id, preview_text: 'Two things, and a date' });
  await ask('preview_broadcast', { broadcast_id });
  await ask('test_broadcast', { broadcast_id, to: ['me@example.com'] });
  const planned = await ask('plan_broadcast', { broadcast_id, send_at: inDays(1) });
  await ask('schedule_broadcast', { broadcast_id, plan_token: planned['plan_token'] });
  await ask('unschedule_broadcast', { broadcast_id });
  const again = await ask('plan_broadcast', { broadcast_id, send_at: inDays(1) });
  await ask('schedule_broadcast', { broadcast_id, plan_token: again['plan_token'] });
  await change(
    broadcast_id,
    'hold_if_audience_changes_by = 10, planned_recipients = 40, held_at = now(), held_recipients = 52',
  );
  const { audience } = await ask('recount_broadcast', { broadcast_id });
  await ask('release_broadcast', { broadcast_id, counted: audience.recipients });
  await change(broadcast_id, "status = 'sending', started_at = now()");
  await ask('stop_broadcast', { broadcast_id });
  const other = await ask('create_broadcast', draft);
  await ask('delete_broadcast', { broadcast_id: other['broadcast'].id });
  return sent;
}

async function aboutSenders(ask: Ask, admin: World['admin']): Promise<void> {
  const made = await ask('create_sender', { name: 'News', email: 'news@example.com' });
  const sender_id: string = made['sender'].id;
  await ask('update_sender', { sender_id, reply_to: 'answers@example.com' });
  const { sending_domains } = await ask('list_sending_domains', { limit: 2 });
  const domain_id: string = sending_domains.find((one: Answered) => one['domain'] === 'example.com').id;
  await ask('get_sending_domain', { domain_id });
  await admin.query('update sending_domains set checked_at = null where id = $1', [domain_id]);
  await ask('check_sending_domain', { domain_id });
  await ask('delete_sender', { sender_id });
  await ask('delete_sending_domain', { domain_id });
  await ask('get_email_layout');
  await ask('update_email_layout', { company_name: 'Demonstration', postal_address: '1 Main Street' });
  await ask('set_sms_number', { number: '+15550000000' });
}
