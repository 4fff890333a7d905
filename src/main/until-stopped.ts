const oneWishMs = 500;

/**
 * Resolves when the process is told to stop. Told again, it ends at once; what comes within half a second is the same
 * wish, because npm hands on the Ctrl-C that the terminal has sent to both.
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
