import pino, { type Logger } from 'pino';

/**
 * Structured lines on standard error; standard output is left to commands that answer on it. Written in the
 * background: a slow reader of the log must not hold requests up.
 */
export const createLog = (level: string, name: string): Logger =>
  pino(
    { level, name, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: false }),
  );
