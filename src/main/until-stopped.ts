const oneWishMs = 500;

/**
 * Resolves on the first signal to stop. A second signal ends the process at once, unless it comes within half a second:
 * npm forwards the Ctrl-C that the terminal has sent to both.
 */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const ask = (): void => {
      if (askedAt !== undefined && performance.now() - askedAt > oneWishMs) process.exit(1);
      askedAt ??= performance.now();
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, ask);
  });
}
