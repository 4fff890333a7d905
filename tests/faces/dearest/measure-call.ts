import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a call took of the process that serves everybody. */
export interface Taken {
  /** The longest stretch of processor time in which the thread did nothing else. */
  readonly blockedMs: number;
  /** How far the heap and what lies beside it grew at most, without what could be collected. */
  readonly grownMb: number;
  readonly answerMb: number;
}

const tickMs = 2; // by so much a stretch may come out longer than it was
const garbageMb = 8; // less is not looked for
const megabyte = 1_048_576;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Processor time of this thread: what the machine gives to others, or to other threads, is not counted. */
const spentMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const heldMb = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / megabyte;
};

/** What was held when garbage was last collected. */
let held = Infinity;

/** To collect before every call would cost more than the calls: what they leave is looked at when there is much of it. */
function heldAtFirst(): number {
  if (heldMb() < held + garbageMb) return (held = Math.min(held, heldMb()));
  collectGarbage();
  return (held = heldMb());
}

export async function measureCall(act: () => Promise<unknown>): Promise<Taken> {
  const heldBefore = heldAtFirst();
  let [goesOn, blockedMs, heldMost, spent] = [true, 0, heldBefore, spentMs()];
  const lookAtMemory = (): void => {
    if (heldMb() < heldMost + garbageMb) return;
    collectGarbage();
    heldMost = Math.max(heldMost, heldMb());
  };
  const look = (): void => {
    const now = spentMs();
    blockedMs = Math.max(blockedMs, now - spent);
    lookAtMemory();
    spent = spentMs(); // looking is not the call's
  };
  const looking = (async (): Promise<void> => {
    while (goesOn) {
      await pause(tickMs);
      look();
    }
  })();
  try {
    const answer = Buffer.byteLength(JSON.stringify(await act()));
    look();
    return { blockedMs, grownMb: heldMost - heldBefore, answerMb: answer / megabyte };
  } finally {
    goesOn = false;
    await looking;
  }
}
