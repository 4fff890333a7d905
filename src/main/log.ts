import pino, { type Logger } from 'pino';

const flushMs = 500;

/**
 * Structured lines on standard error; standard output is left to commands that answer on it. Written in the
 * background and several at a time: a system call a line cost a tenth of a request, and a slow reader of the log must
 * not hold requests up.
 */
export function createLog(level: string, name: string): Logger {
  const destination = pino.destination({ dest: 2, sync: false, minLength: 4096 });
  setInterval(() => destination.flush(), flushMs).unref();
  return pino(
    { level, name, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  );
}
