import { count, people } from '../format/number.ts';
import { percent } from '../format/percent.ts';
import { atTrigger, type Workflow } from './graph/graph.ts';

/** What happened at a step, in one line; undefined where nothing is live yet. */
export function countsAt({ counts, nodes, live_version }: Workflow, id: string): string | undefined {
  if (live_version === null) return undefined;
  if (id === atTrigger) return `${count(counts.running + counts.ended)} entered`;
  const node = nodes.find((one) => one.id === id);
  if (node === undefined) return undefined;
  const { waiting, messages } = node;
  if (messages === null) return waiting === 0 ? undefined : `${people(waiting)} waiting`;
  const opened = messages.opened === 0 ? '' : ` · ${percent(messages.opened, messages.sent)} opened`;
  return `${count(messages.sent)} sent${opened}`;
}
