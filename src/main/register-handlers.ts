import { setTimeout as pause } from 'node:timers/promises';

const attempts = 60;

/** Tells Restate where the handlers are, waiting for it to come up; of a cluster any node will do. */
export async function registerHandlers(adminUrls: readonly string[], handlersUrl: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const adminUrl = adminUrls[attempt % adminUrls.length];
    try {
      const response = await fetch(`${adminUrl}/deployments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ uri: handlersUrl, force: true }),
        signal: AbortSignal.timeout(5_000),
      });
      if (response.ok) {
        await response.body?.cancel();
        return;
      }
      throw new Error(
        `Restate refused the handlers at ${handlersUrl}: ${(await response.text()).slice(0, 300)}`,
      );
    } catch (error) {
      if (attempt >= attempts) throw error;
      await pause(250);
    }
  }
}
