import { setTimeout as pause } from 'node:timers/promises';
import { release } from '../durable/release.ts';
import { countLeft, listDeployments, type Deployment } from './restate-admin.ts';

const lookMs = 5_000;

export interface Seen {
  /** This release is not the one that gets new work. */
  readonly onPassedOver: (id: string) => void;
  /** Nothing is left on another release. */
  readonly onDrained: (older: Deployment) => void;
}

/** Tells each thing once. Nobody waits for this: trouble is looked past. */
export async function watchReleases(
  adminUrls: readonly string[],
  stop: AbortSignal,
  { onPassedOver, onDrained }: Seen,
): Promise<void> {
  const told = new Set<string>();
  const isNews = ({ id }: Deployment): boolean => !told.has(id) && told.add(id).has(id);
  while (!stop.aborted) {
    try {
      const [own, others] = split((await listDeployments(adminUrls)).filter((one) => !one.getsNewWork));
      for (const one of own.filter(isNews)) onPassedOver(one.id);
      const left = others.length === 0 ? new Map<string, number>() : await countLeft(adminUrls);
      for (const one of others.filter(({ id }) => !left.has(id)).filter(isNews)) onDrained(one);
    } catch {
      // Restate is away.
    }
    await pause(lookMs, undefined, { signal: stop, ref: false }).catch(() => undefined);
  }
}

const split = (deployments: readonly Deployment[]): [Deployment[], Deployment[]] => [
  deployments.filter((one) => one.release === release()),
  deployments.filter((one) => one.release !== release()),
];
