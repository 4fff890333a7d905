import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A script that runs as a process of its own and is asked things. It ends with whoever started it. */
export interface Forked {
  readonly pid: number;
  ask<Answer>(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

/** What is asked for, and whatever else belongs to it. */
export type Question = Readonly<Record<string, unknown>> & { readonly ask: string };

export function forkScript(script: URL): Forked {
  const child = fork(fileURLToPath(script), { execArgv: [], serialization: 'advanced' });
  const asked = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  let last = 0;
  child.on('message', ({ id, answer, error }: Reply) => {
    const waiting = asked.get(id);
    asked.delete(id);
    if (error === undefined) waiting?.resolve(answer as never);
    else waiting?.reject(new Error(error));
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void gone.then(() => {
    for (const { reject } of asked.values()) reject(new Error(`${script.pathname} ended`));
  });
  return {
    pid: child.pid ?? 0,
    ask: (question) =>
      new Promise((resolve, reject) => {
        asked.set(++last, { resolve, reject });
        child.send({ id: last, question });
      }),
    stop: async () => {
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

interface Reply {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}

/** The other end: answers what is asked, until nobody is there to ask. */
export function answerQuestions(answers: Readonly<Record<string, (question: never) => unknown>>): void {
  const answer = async ({ id, question }: { id: number; question: Question }): Promise<void> => {
    try {
      process.send?.({ id, answer: await answers[question.ask]!(question as never) });
    } catch (error) {
      process.send?.({ id, error: String(error) });
    }
  };
  process.on('message', (message: { id: number; question: Question }) => void answer(message));
  process.once('disconnect', () => process.exit(0));
}
