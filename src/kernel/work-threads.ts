import { callShares } from './call-shares.ts';
import { workThread, type ThreadWork } from './work-thread.ts';

/** A few threads for the same work. An organization has one at a time, so that the next one finds another. */
export function workThreads<Question, Answer>(
  work: ThreadWork,
  most: number,
): (org: string, question: Question) => Promise<Answer> {
  const idle = Array.from({ length: most }, () => workThread<Question, Answer>(work));
  const places = { places: most, least: 1 };
  const { take: takePlace } = callShares({ light: places, heavy: places });
  return async (org, question) => {
    const free = await takePlace(org, 'heavy');
    const ask = idle.pop()!;
    try {
      return await ask(question);
    } finally {
      idle.push(ask);
      free();
    }
  };
}
