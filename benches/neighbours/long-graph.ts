import { longBody } from '../plan/bodies.ts';

const most = 100; // nodes a workflow may have
const everyone = [{ property: 'created_at', op: 'gt', value: '2000-01-01T00:00:00Z' }];
const variables = {
  var_name: { variable: '{{context.root_context.org_user.first_name}}', fallback: 'reader' },
};

/** As many nodes as a workflow may have: it asks, waits and writes by turns, with a body of so many bytes each time. */
export function longGraph({
  bytes,
  sender,
  of = '',
}: {
  bytes: number;
  sender?: string;
  of?: string;
}): object {
  const html = `<p>${of}</p>${longBody(bytes)}`;
  const id = (n: number): string => (n < most - 1 ? `n${n}` : 'end');
  const nodes = Array.from({ length: most - 1 }, (_, n): object => {
    const next = id(n + 1);
    if (n % 3 === 0) return { id: id(n), type: 'condition_split', filters: everyone, yes: next, no: next };
    if (n % 3 === 1) return { id: id(n), type: 'wait', duration_minutes: 60, next };
    const from = sender === undefined ? {} : { sender_id: sender };
    return { id: id(n), type: 'send_email', subject: 'Hello', html, variables, ...from, next };
  });
  return {
    trigger: { type: 'webinar_registration', next: id(0) },
    nodes: [...nodes, { id: 'end', type: 'end' }],
  };
}
