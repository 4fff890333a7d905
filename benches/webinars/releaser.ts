import { openDatabase, openPool } from '../../src/database/pool.ts';
import { ring } from '../../src/domain/workflows/runs/ring.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { OrgId } from '../../src/kernel/ids.ts';
import { keyring } from '../../src/main/keys.ts';
import { secret } from '../send/service.ts';
import { answerQuestions } from '../support/forked.ts';

// Rings a clock as the handlers do, in a process of its own and with nobody else at work: no engine, no lanes.

export interface RingOutcome {
  readonly released: number;
  readonly ms: number;
  /** Processor time of this process, in milliseconds. */
  readonly processorMs: number;
}

let database: ReturnType<typeof openDatabase> | undefined;

answerQuestions({
  open: ({ url }: { url: string }) => {
    database = openDatabase(openPool({ url, size: 1, onError: () => undefined }));
  },
  ring: async ({ org, clock }: { org: OrgId; clock: string }): Promise<RingOutcome> => {
    const parts = {
      database: database!,
      clock: systemClock,
      keys: keyring({ ROSTRUM_SECRET: secret }),
      mail: { returnPathHost: 'bounce.example.test', publicUrl: 'https://mail.example.test' },
      stopping: new AbortController().signal,
    };
    const started = performance.now();
    const processor = process.cpuUsage();
    let released = 0;
    for (;;) {
      const rung = await ring(parts, { org_id: org, clock_id: clock, at: new Date(), holder: 'bench' });
      if (rung.outcome === 'early') throw new Error('the clock is not due, or somebody else rings it');
      released += rung.released;
      if (rung.outcome !== 'more') break;
    }
    const { user, system } = process.cpuUsage(processor);
    return { released, ms: performance.now() - started, processorMs: (user + system) / 1000 };
  },
});
