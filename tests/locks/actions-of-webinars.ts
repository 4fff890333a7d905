import { markAttended } from '../../src/domain/webinars/platforms/mark-attended.ts';
import { pushRegistrants } from '../../src/domain/webinars/platforms/push-registrants.ts';
import { ring } from '../../src/domain/workflows/runs/ring.ts';
import { inHours } from '../support/broadcast.ts';
import { one, type Action } from './actions-of-people.ts';
import type { Stage } from './stage.ts';

const ofWebinar =
  (name: Parameters<Stage['call']>[0], fields: (stage: Stage) => object = () => ({})): Action =>
  (stage) =>
    one(stage, stage.there.webinars, (webinar_id) => stage.call(name, { webinar_id, ...fields(stage) }));

const ofWorkflow =
  (name: Parameters<Stage['call']>[0], fields: object = {}): Action =>
  (stage) =>
    one(stage, stage.there.workflows, (workflow_id) => stage.call(name, { workflow_id, ...fields }));

/** A platform that takes everybody. */
const connectors = {
  zoom: {
    pushRegistrant: () =>
      Promise.resolve({ status: 'registered', externalId: 'known', joinUrl: 'https://example.com/join' }),
  },
} as never;

export const actionsOfWebinars: Readonly<Record<string, Action>> = {
  create_webinar: (stage) =>
    stage.call('create_webinar', { webinar: { title: 'Another', start_time: inHours(48) } }),
  register: ofWebinar('register_for_webinar', (stage) => ({
    user: { email: stage.email(), properties: { tier: 'e', [`form_${stage.random.int(0, 3)}`]: 'x' } },
  })),
  register_phone: ofWebinar('register_for_webinar', (stage) => ({ user: { phone: stage.phone() } })),
  unregister: ofWebinar('unregister_from_webinar', (stage) => ({ email: stage.email() })),
  report_attendance: ofWebinar('report_attendance', (stage) => ({
    email: stage.email(),
    attended: stage.random.chance(0.5),
  })),
  report_many_attendance: ofWebinar('report_many_attendance', (stage) => ({
    rows: Array.from({ length: 4 }, () => ({ email: stage.email(), attended: stage.random.chance(0.5) })),
  })),
  mark_attended: (stage) =>
    one(stage, stage.there.webinars, (webinar) =>
      stage.serve((work) =>
        markAttended(
          work,
          webinar,
          Array.from({ length: 4 }, () => ({ externalId: 'none', email: stage.email() }) as never),
        ),
      ),
    ),
  reschedule: ofWebinar('reschedule_webinar', ({ random }) => ({
    start_time: inHours(random.int(1, 3_000)),
  })),
  update_webinar: ofWebinar('update_webinar', ({ random }) => ({
    title: `Title ${random.int(0, 9)}`,
    duration_minutes: random.pick([30, 60, 90]),
  })),
  cancel_webinar: (stage) =>
    stage.random.chance(0.1) ? ofWebinar('cancel_webinar')(stage) : ofWebinar('delete_webinar')(stage),
  link_webinar: (stage) =>
    one(stage, stage.there.connections, (connection_id) =>
      ofWebinar('link_webinar', ({ random }) => ({
        connection_id,
        event_id: String(random.int(100_000_000, 100_000_003)),
      }))(stage),
    ),
  unlink_webinar: ofWebinar('unlink_webinar'),
  connect_platform: (stage) =>
    stage.call('connect_platform', {
      platform: 'zoom',
      account_id: stage.random.pick(['account', 'another']),
      client_id: 'client',
      client_secret: 'secret',
      webhook_secret_token: 'token',
    }),
  delete_platform_connection: (stage) =>
    one(stage, stage.there.connections, (connection_id) =>
      stage.call('delete_platform_connection', { connection_id }),
    ),
  push_registrants: (stage) =>
    one(stage, stage.there.webinars, (webinar) =>
      pushRegistrants({ ...stage.parts, connectors }, { org: stage.org.id, webinar }),
    ),
  ring: (stage) =>
    one(stage, stage.there.clocks, ({ id, next_at }) =>
      ring(stage.parts, {
        org_id: stage.org.id,
        clock_id: id,
        at: new Date(next_at),
        holder: `holder ${stage.random.int(0, 1)}`,
      }),
    ),
  pause_workflow: ofWorkflow('pause_workflow'),
  resume_workflow: ofWorkflow('resume_workflow'),
  publish_workflow: ofWorkflow('publish_workflow'),
  update_workflow: ofWorkflow('update_workflow', { name: 'Renamed' }),
  delete_workflow: ofWorkflow('delete_workflow'),
};
