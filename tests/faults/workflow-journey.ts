import { journeyMinutes } from '../workflows/model.ts';

/** As journeyOf in the model tells it. Each message has its node's name for a subject, so the witness can tell. */
export function journeyGraph(webinar_id: string, sender_id: string) {
  const email = (id: string, next: string) => ({
    id,
    type: 'send_email',
    subject: id,
    html: '<p>Dear {{var_name}}, see <a href="https://example.com/room">the room</a>.</p>',
    variables: { var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'reader' } },
    sender_id,
    next,
  });
  const wait = (
    id: string,
    anchor: 'start' | 'end',
    offset_minutes: number,
    next: string,
    past?: string,
  ) => ({
    id,
    type: 'wait',
    anchor,
    offset_minutes,
    next,
    ...(past !== undefined && { past }),
  });
  const { dayBefore, hourBefore, afterEnd, rest } = journeyMinutes;
  return {
    trigger: { type: 'webinar_registration', webinar_id, next: 'confirmation' },
    nodes: [
      email('confirmation', 'day_before'),
      wait('day_before', 'start', dayBefore, 'reminder_day', 'hour_before'),
      email('reminder_day', 'hour_before'),
      wait('hour_before', 'start', hourBefore, 'is_pro'),
      {
        id: 'is_pro',
        type: 'condition_split',
        filters: [{ custom_property_key: 'plan_tier', op: 'eq', value: 'pro' }],
        yes: 'reminder_pro',
        no: 'reminder_plain',
      },
      email('reminder_pro', 'after_end'),
      email('reminder_plain', 'after_end'),
      wait('after_end', 'end', afterEnd - 60, 'was_there', 'rest'),
      { id: 'was_there', type: 'attendance_split', attended: 'thanks', no_show: 'missed' },
      email('thanks', 'rest'),
      email('missed', 'rest'),
      { id: 'rest', type: 'wait', duration_minutes: rest, next: 'mark' },
      { id: 'mark', type: 'set_property', key: 'journey', value: 'done', next: 'over' },
      { id: 'over', type: 'end' },
    ],
  };
}
