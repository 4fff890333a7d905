/** What get_workflow would answer of a workflow of so many nodes: splits of splits, with messages and waits between. */
export function wideWorkflow(nodes: number) {
  const graph: Record<string, unknown>[] = [];
  const open: { readonly from: number; readonly field: string }[] = [];
  for (let at = 0; at < nodes; at++) {
    const id = `node-${at}`;
    const way = open.shift();
    if (way !== undefined) graph[way.from]![way.field] = id;
    if (at % 6 === 2) {
      graph.push({ id, type: 'attendance_split' });
      open.push({ from: at, field: 'attended' }, { from: at, field: 'no_show' });
    } else {
      graph.push(
        at % 2 === 0
          ? { id, type: 'send_email', subject: `Message ${at}` }
          : { id, type: 'wait', duration_minutes: 60 * at },
      );
      open.push({ from: at, field: 'next' });
    }
  }
  const now = new Date().toISOString();
  return {
    id: '01930000-0000-7000-8000-000000000000',
    name: 'A wide workflow',
    status: 'draft',
    live_version: null,
    revision: 1,
    created_at: now,
    updated_at: now,
    has_unpublished_changes: true,
    problems: [],
    graph: {
      trigger: { type: 'webinar_registration', webinar_id: null, next: 'node-0' },
      nodes: graph,
    },
    counts: { running: 0, ended: 0 },
    nodes: [],
  };
}
