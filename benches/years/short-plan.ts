/** A plan as PostgreSQL wrote it, and how many buffers it touched. */
interface ShortPlan {
  readonly buffers: number;
  readonly text: string;
}

const longest = 24;

/**
 * The nodes of a plan that were run, one a line: what each does, its rows and the buffers it touched with all below it.
 * Months that were looked at and had nothing for us are many and alike; beyond the first lines they are only counted.
 */
function shortPlan(written: string): ShortPlan {
  const lines = written.split('\n');
  const nodes: { depth: number; text: string; buffers: number }[] = [];
  for (const line of lines) {
    const node =
      /^( *)(?:-> {2})?(\S.*?) {2}\(cost=[^)]*\) \((actual rows=(\d+) loops=(\d+)|never executed)\)/.exec(
        line,
      );
    const of = nodes.at(-1);
    if (node !== null && node[3] !== 'never executed') {
      const rows = Number(node[4]) * Number(node[5]);
      nodes.push({ depth: node[1]!.length, text: `${node[2]}, ${rows} rows`, buffers: 0 });
    } else if (of?.buffers === 0 && line.trim().startsWith('Buffers: shared')) {
      of.buffers = [...line.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, n]) => sum + Number(n), 0);
    }
  }
  const shown = nodes
    .filter(({ buffers }, n) => n === 0 || buffers > 0)
    .map(({ depth, text, buffers }) => `${' '.repeat(Math.ceil(depth / 3))}${text}, ${buffers} buffers`);
  const more = shown.length > longest ? [`… and ${shown.length - longest} more nodes`] : [];
  return { buffers: nodes[0]?.buffers ?? 0, text: [...shown.slice(0, longest), ...more].join('\n') };
}

/** Of the plans of one thing that was asked, the one that touched most. */
export const dearest = (written: readonly string[]): string =>
  written.map(shortPlan).reduce((most, plan) => (plan.buffers > most.buffers ? plan : most)).text;
