/** Confirms, reminds a day before, and follows up by who came. */
export const demonstrationWorkflow = (webinar_id: string, sender_id: string) => {
  const send = (id: string, subject: string, html: string, next: string) => ({
    id,
    type: 'send_email',
    sender_id,
    subject,
    html,
    next,
  });
  return {
    name: 'Plan before you send: reminders',
    graph: {
      trigger: { type: 'webinar_registration', webinar_id, next: 'confirm' },
      nodes: [
        send('confirm', 'You are registered', '<p>We look forward to seeing you.</p>', 'day_before'),
        {
          id: 'day_before',
          type: 'wait',
          anchor: 'start',
          offset_minutes: -1_440,
          next: 'remind',
          past: 'over',
        },
        send('remind', 'It is tomorrow', '<p>It starts tomorrow.</p>', 'over'),
        { id: 'over', type: 'wait', anchor: 'end', offset_minutes: 30, next: 'came' },
        { id: 'came', type: 'attendance_split', attended: 'thanks', no_show: 'missed' },
        send('thanks', 'Thank you for coming', '<p>Here are the slides.</p>', 'end'),
        send('missed', 'Sorry we missed you', '<p>Here is the recording.</p>', 'end'),
        { id: 'end', type: 'end' },
      ],
    },
  };
};
