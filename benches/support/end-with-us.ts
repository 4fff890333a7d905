const started = new Set<number>();

/** Processes that must not outlive this one, however it ends. */
export function endWithUs(...pids: readonly number[]): void {
  if (started.size === 0) {
    process.once('exit', () => {
      for (const pid of started) kill(pid);
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  }
  for (const pid of pids) if (pid !== 0) started.add(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}
