import { messageNames } from '../database/engine-messages.ts';

/** Handlers as the engine knows them: one of these for each release. */
export interface Deployment {
  readonly id: string;
  readonly uri: string;
  readonly release: string;
  /** New work goes to the release that was registered last; what began on another ends there. */
  readonly getsNewWork: boolean;
}

interface Listed {
  readonly id: string;
  readonly uri: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly services: readonly { readonly name: string; readonly revision: number }[];
}

/** Restate's admin API at the first node that answers. */
export async function askAdmin(
  adminUrls: readonly string[],
  path: string,
  { method = 'GET', body, waitMs = 5_000 }: { method?: string; body?: object; waitMs?: number } = {},
): Promise<unknown> {
  let problem = 'Restate does not answer.';
  for (const url of adminUrls) {
    try {
      const response = await fetch(url + path, {
        method,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(waitMs),
      });
      const text = await response.text();
      if (response.ok) return text === '' ? undefined : (JSON.parse(text) as unknown);
      problem = `Restate answers ${response.status} to ${method} ${path}: ${text.slice(0, 300)}`;
    } catch {
      // The next node may answer.
    }
  }
  throw new Error(problem);
}

export const queryAdmin = async <Row>(adminUrls: readonly string[], query: string): Promise<Row[]> => {
  const answered = await askAdmin(adminUrls, '/query', { method: 'POST', body: { query }, waitMs: 60_000 });
  return (answered as { rows: Row[] }).rows;
};

export async function listDeployments(adminUrls: readonly string[]): Promise<Deployment[]> {
  const { deployments } = (await askAdmin(adminUrls, '/deployments')) as { deployments: readonly Listed[] };
  const ours = new Set<string>(messageNames); // a service that only an older release has gets no new work
  const latest = new Map<string, number>();
  for (const { name, revision } of deployments.flatMap(({ services }) => services))
    if (ours.has(name)) latest.set(name, Math.max(revision, latest.get(name) ?? 0));
  return deployments.map(({ id, uri, metadata, services }) => ({
    id,
    uri,
    release: metadata?.['release'] ?? 'unknown',
    getsNewWork: services.some(({ name, revision }) => latest.get(name) === revision),
  }));
}

/** How much work that began on each deployment has not ended. */
export async function countLeft(adminUrls: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await queryAdmin<{ id: string; begun: number }>(
    adminUrls,
    `select pinned_deployment_id as id, count(*) as begun from sys_invocation
     where pinned_deployment_id is not null and status <> 'completed' group by pinned_deployment_id`,
  );
  return new Map(rows.map(({ id, begun }) => [id, begun]));
}
