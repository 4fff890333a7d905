import { setTimeout as pause } from 'node:timers/promises';
import { tell, type Options, type Size } from '../../benches/support/command.ts';
import { exactly, told, type Figure } from '../../benches/support/figure.ts';
import { runCourse, type Course } from './broadcast-course.ts';
import { closeAll, openStage, type Closing } from './broadcast-stage.ts';
import { startRestateCluster } from './restate-cluster.ts';

const plans = {
  small: { people: 2_000, cutOneIn: 200, delayMs: 20, everyMs: 50, patience: 600 },
  full: { people: 20_000, cutOneIn: 500, delayMs: 2, everyMs: 100, patience: 600 },
};

/**
 * A broadcast on a Restate cluster that loses a node for good in the middle: the one the relay talks to and the handlers
 * were registered with. Later the handlers and the relay are started anew, and must do without that node.
 */
export async function broadcastCluster(size: Size, { seed }: Options): Promise<Figure[]> {
  const plan = plans[size];
  const closing: Closing = [];
  try {
    const cluster = await startRestateCluster();
    closing.push(cluster.stop);
    const stage = await openStage({ ...plan, seed, engine: cluster }, closing);
    tell('sending over a cluster');
    return await runCourse(stage, plan, async (course) => {
      await reached(course, 0.4);
      const lostAt = Date.now();
      await stage.hands.whileEngineIsLost(() => cluster.killNode(0));
      const nodeAt = course.progress();
      await reached(course, 0.7);
      const isUnderWay = !course.over();
      const { longestGap } = await stage.sink.readLog();
      for (const part of [stage.hands.ofHandlers(stage.handlers), stage.relay]) {
        await part.kill();
        await part.start();
      }
      return [
        exactly('nodes killed while it was sent', Number(nodeAt < 0.9), 1),
        told('longest time without a message once it was lost, seconds', longestGap(lostAt) / 1000),
        exactly('handlers and relay killed while it was sent', isUnderWay ? 2 : 0, 2),
      ];
    });
  } finally {
    await closeAll(closing);
  }
}

async function reached({ progress, over }: Course, part: number): Promise<void> {
  while (progress() < part && !over()) await pause(20);
}
