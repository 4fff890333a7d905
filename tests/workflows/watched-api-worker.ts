import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import pino from 'pino';
import { openDatabase, openPool } from '../../src/database/pool.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { buildApi } from '../../src/main/build-api.ts';
import type { Config } from '../../src/main/config.ts';
import type { Cost } from './watched-api.ts';

const { config, databaseUrl } = workerData as { readonly config: Config; readonly databaseUrl: string };
const database = openDatabase(openPool({ url: databaseUrl, size: 4, onError: () => undefined }));
const app = await buildApi({ config, database, clock: systemClock, log: pino({ level: 'silent' }) });

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heapMb = (): number => process.memoryUsage().heapUsed / 2 ** 20;
// Not the time by the clock: a busy machine keeps every thread waiting.
const spentMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

let before = 0;
let most = 0;
let spent = 0;
let longest = 0;
setInterval(() => {
  const now = spentMs();
  longest = Math.max(longest, now - spent);
  spent = now;
  most = Math.max(most, heapMb());
}, 1);

parentPort!.on('message', (word: 'watch' | 'tell') => {
  if (word === 'tell') {
    parentPort!.postMessage({ grownMb: most - before, busyMs: longest } satisfies Cost);
    return;
  }
  collectGarbage();
  before = most = heapMb();
  spent = spentMs();
  longest = 0;
  parentPort!.postMessage('watching');
});
parentPort!.postMessage(await app.listen({ host: '127.0.0.1', port: 0 }));
