import { setTimeout as pause } from 'node:timers/promises';
import { release } from '../durable/release.ts';
import { ConfigError } from './config.ts';
import { askAdmin, listDeployments } from './restate-admin.ts';

const patienceMs = 60_000;
const againMs = 50;
const discoverMs = 15_000; // longer than Restate itself waits for an address

type InTurn = (register: () => Promise<void>) => Promise<void>;

/**
 * Tells Restate where the handlers of this release are, waiting until it and whoever gives turns are there; of a
 * cluster any node will do. All new work goes to the address that was registered last, so a second address of one
 * release is refused (ADR 69).
 */
export async function registerHandlers(
  adminUrls: readonly string[],
  handlersUrl: string,
  inTurn: InTurn = (register) => register(),
): Promise<void> {
  const uri = `${handlersUrl.replace(/\/$/, '')}/${release()}`;
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await inTurn(() => register(adminUrls, uri));
    } catch (error) {
      if (error instanceof ConfigError || performance.now() > until) throw error;
      await pause(againMs);
    }
  }
}

async function register(adminUrls: readonly string[], uri: string): Promise<void> {
  await takeOver(adminUrls, uri);
  // Not by force: an older release that starts again must not get the new work back.
  const body = { uri, metadata: { release: release() }, breaking: true };
  await askAdmin(adminUrls, '/deployments', { method: 'POST', body });
}

/** If the release has another address that is dead, what began there goes on here. */
async function takeOver(adminUrls: readonly string[], uri: string): Promise<void> {
  const known = await listDeployments(adminUrls);
  if (known.some((one) => one.uri === uri)) return;
  const [elsewhere] = known.filter((one) => one.release === release());
  if (elsewhere === undefined) return;
  if (await answers(adminUrls, elsewhere.uri)) {
    throw new ConfigError(
      `Handlers of this release are registered at ${elsewhere.uri} and answer there, so those at ${uri} would take all ` +
        'new work from them, or get none. Put both behind one address, a balancer of TCP connections, and set ' +
        'HANDLERS_URL to it for each; or stop the others first.',
    );
  }
  await askAdmin(adminUrls, `/deployments/${elsewhere.id}`, { method: 'PATCH', body: { uri } });
}

/** Restate is asked to look, without changing anything: it is the one who must reach the address. */
const answers = (adminUrls: readonly string[], uri: string): Promise<boolean> =>
  askAdmin(adminUrls, '/deployments', {
    method: 'POST',
    body: { uri, dry_run: true, force: true },
    waitMs: discoverMs,
  }).then(
    () => true,
    () => false,
  );
