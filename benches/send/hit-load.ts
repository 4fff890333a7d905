import { connect } from 'node:net';
import { answerQuestions } from '../support/forked.ts';
import { timesOf } from '../support/in-turns.ts';

// Fetches pictures and links as mail readers do, over connections that stay open. Written on sockets, because it shares
// the machine with what is measured.

export interface Hits {
  /** The first so many paths were fetched, over and over once all had been. */
  readonly fetched: number;
  readonly ms: number;
  readonly p50: number;
  readonly p95: number;
}

interface Wanted {
  readonly port: number;
  readonly paths: readonly string[];
  readonly status: number;
  readonly connections: number;
  readonly seconds: number;
  /** Goes on until so many are fetched, however long that takes. */
  readonly atLeast?: number;
}

const agent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Thunderbird/140.4.0';

async function load({ port, paths, status, connections, seconds, atLeast = 0 }: Wanted): Promise<Hits> {
  const times: number[] = [];
  let fetched = 0;
  const started = performance.now();
  const until = started + seconds * 1000;
  const reader = async (): Promise<void> => {
    const line = await open(port);
    while (performance.now() < until || fetched < atLeast) {
      const path = paths[fetched++ % paths.length]!;
      const before = performance.now();
      const answered = await line.fetch(path);
      times.push(performance.now() - before);
      if (answered !== status) throw new Error(`${path.slice(0, 5)} answered ${answered}`);
    }
    line.close();
  };
  await Promise.all(Array.from({ length: connections }, reader));
  return { fetched, ms: performance.now() - started, ...timesOf(times) };
}

async function open(port: number) {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let answer = '';
  let answered: (status: number) => void = () => undefined;
  let failed: (error: Error) => void = () => undefined;
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
    const end = answer.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(answer.slice(0, end))?.[1] ?? 0);
    if (answer.length < end + 4 + length) return;
    const status = Number(answer.slice(9, 12));
    answer = '';
    answered(status);
  });
  socket.on('error', (error) => failed(error));
  socket.on('close', () => failed(new Error('the service hung up')));
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    fetch: (path: string): Promise<number> =>
      new Promise((resolve, reject) => {
        answered = resolve;
        failed = reject;
        socket.write(`GET ${path} HTTP/1.1\r\nHost: mail.example.test\r\nUser-Agent: ${agent}\r\n\r\n`);
      }),
    close: () => socket.destroy(),
  };
}

answerQuestions({ load });
