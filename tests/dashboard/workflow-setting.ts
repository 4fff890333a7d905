import { setLayout } from '../support/broadcast.ts';
import { newSender } from '../support/sender-row.ts';
import { registerFor } from '../support/webinar.ts';
import { liveWorkflow } from '../support/workflow.ts';
import type { TestOrg } from '../support/test-org.ts';
import type { World } from '../support/world.ts';
import { email, end, webinarIn } from '../workflows/course.ts';

/** A live workflow of a webinar in two days, and who registered for it. */
export async function reminders(world: World, org: TestOrg) {
  await setLayout(org);
  const sender = await newSender(world, org);
  const webinar = await webinarIn(org, 48, { title: 'Pricing a first course' });
  const graph = {
    trigger: { type: 'webinar_registration', webinar_id: webinar.id, next: 'confirm' },
    nodes: [
      email('confirm', 'You are in', sender, 'day'),
      { id: 'day', type: 'wait', anchor: 'start', offset_minutes: -1440, next: 'reminder', past: 'over' },
      email('reminder', 'Tomorrow: your link', sender, 'over'),
      { id: 'over', type: 'wait', anchor: 'end', offset_minutes: 60, next: 'split' },
      { id: 'split', type: 'attendance_split', attended: 'thanks', no_show: 'missed' },
      email('thanks', 'The recording', sender, 'end'),
      email('missed', 'Sorry we missed you', sender, 'end'),
      end,
    ],
  };
  const workflow = await liveWorkflow(org, graph, 'Webinar reminders');
  const people: string[] = [];
  for (const [first_name, last_name] of [
    ['Mara', 'Lindqvist'],
    ['Ada', 'Lovelace'],
    ['Grace', 'Hopper'],
  ] as const) {
    const user = { email: `${first_name}@example.com`, first_name, last_name };
    people.push((await registerFor(org, webinar.id, user)).org_user_id);
  }
  return { workflow, webinar, graph, people };
}
