import type { operations } from '../../src/catalogue/operations.ts';
import type { AnyOperation } from '../../src/kernel/operation.ts';
import { inputWith, readTableOf } from '../isolation/furnished-orgs.ts';
import { plan } from '../support/broadcast.ts';
import { waysTo } from '../support/call-operation.ts';
import { tokenOf } from '../support/import-preview.ts';
import { withRows } from '../support/import.ts';
import type { World } from '../support/world.ts';
import type { FixedOrg } from './fixed-org.ts';

type Input = Readonly<Record<string, unknown>>;
type Name = (typeof operations)[number]['name'];

/**
 * What each operation is asked: a read as little as it takes, a write all that it takes, about the furnished rows.
 * Where another state is wanted, or that would be a case nobody meets, it is said here.
 */
export async function arrangeInputs(
  world: World,
  fixed: FixedOrg,
): Promise<(operation: AnyOperation) => Input> {
  const { org, ids, person, drafts, workflows, unused } = fixed;
  const tableOf = await readTableOf(world);
  const { plan_token } = await plan(org, drafts.ready);
  const { resend_token } = (await org.rest(`POST /v1/broadcasts/${drafts.ended}/plan-resend`, {})).body;
  const list = await withRows(org, { Mail: 'email', Customer: 'external_user_id' }, [
    { Mail: 'new@example.com', Customer: 'new' },
    { Mail: 'also.new@example.com', Customer: 'ext-7' },
  ]);
  const broken = await withRows(org, { Mail: 'email' }, [{ Mail: 'new@example.com' }, { Mail: 'nobody' }]);
  const arranged: Partial<Record<Name, Input>> = {
    search_people: { query: 'lindqvist' },
    get_person: { person_id: person },
    list_people_engagement: { person_ids: [person] },
    set_many_opt_outs: { person_ids: [person], channel: 'email', opt_out: true },
    delete_person: { person_id: person, reason: 'They asked for it' },
    identify_person: { email: 'somebody@example.com', external_user_id: 'ext-7', first_name: 'Ada' },
    create_property_config: { key: 'another', name: 'Another', type: 'string' },
    set_sms_number: { number: '+15550009999' }, // not the one that is there
    commit_import: { commit_token: await tokenOf(org, list) },
    preview_import: { import_id: list },
    mend_import_row: { import_id: broken, row: 2, cells: { Mail: 'mended@example.com' } },
    register_for_webinar: {
      webinar_id: ids['webinars'],
      user: { email: 'new@example.com', first_name: 'Ada' },
    },
    find_registrants: { webinar_id: ids['webinars'], query: 'example.com' },
    report_many_attendance: { webinar_id: ids['webinars'], rows: [{ person_id: person }] },
    plan_broadcast: { broadcast_id: drafts.ready },
    preview_broadcast: { broadcast_id: drafts.ready },
    test_broadcast: { broadcast_id: drafts.ready, to: ['me@example.com'], person_id: person },
    schedule_broadcast: { broadcast_id: drafts.ready, plan_token },
    unschedule_broadcast: { broadcast_id: drafts.scheduled },
    recount_broadcast: { broadcast_id: drafts.held },
    release_broadcast: { broadcast_id: drafts.held, counted: 1_001 },
    plan_resend_uncertain: { broadcast_id: drafts.ended },
    resend_uncertain: { broadcast_id: drafts.ended, resend_token },
    stop_broadcast: { broadcast_id: drafts.sending },
    get_broadcast_stats: { broadcast_id: drafts.sending },
    list_broadcast_recipients: { broadcast_id: drafts.sending },
    pause_workflow: { workflow_id: workflows.live },
    resume_workflow: { workflow_id: workflows.paused },
    get_workflow_version: { workflow_id: workflows.live, version: 1 },
    list_workflow_people: { workflow_id: workflows.live, node: 'wait' },
    list_workflow_runs: { workflow_id: workflows.live },
    delete_webinar: { webinar_id: unused.webinar },
    delete_workflow: { workflow_id: unused.workflow },
    delete_sending_domain: { domain_id: unused.domain },
    change_member_role: { user_id: ids['members'], role: 'viewer' },
    delete_platform_connection: { connection_id: unused.connection },
  };
  return (operation) =>
    arranged[operation.name as Name] ??
    inputWith(ids, tableOf, operation, waysTo(operation)[0]!, operation.effect === 'read' ? 'few' : 'all');
}
