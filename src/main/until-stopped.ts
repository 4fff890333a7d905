/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    const ask = (): void => {
      if (asked) process.exit(1);
      asked = true;
      resolve();
    };
    process.on('SIGTERM', ask);
    process.on('SIGINT', ask);
  });
}
