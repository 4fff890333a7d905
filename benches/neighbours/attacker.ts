import http from 'node:http';
import { setPriority } from 'node:os';
import { answerQuestions } from '../support/forked.ts';
import { sendCall, type Call } from '../support/send-call.ts';
import { attacks } from './attacks.ts';
import type { Ground } from './ground.ts';

// A process of its own, which gives way to all others: an attacker does not work on the machine it attacks.
setPriority(19);

export interface Begin {
  readonly ask: 'begin';
  readonly name: string;
  readonly ground: Ground;
  readonly url: string;
  readonly connections: number;
}

/** Answers by status; 0 for none. */
export type Answers = Readonly<Record<number, number>>;

let end: (() => Answers) | undefined;

answerQuestions({
  begin: (asked: Begin) => {
    end = begin(asked);
  },
  end: () => end?.(),
});

function begin({ name, ground, url, connections }: Begin): () => Answers {
  const next = attacks.find((one) => one.name === name)!.calls(ground);
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const answers: Record<number, number> = {};
  let goesOn = true;
  const attack = async (connection: number): Promise<void> => {
    while (goesOn) {
      const status = await statusOf(agent, url, next(connection));
      if (goesOn) answers[status] = (answers[status] ?? 0) + 1;
    }
  };
  for (let connection = 0; connection < connections; connection++) void attack(connection);
  return () => {
    goesOn = false;
    agent.destroy();
    return answers;
  };
}

const statusOf = (agent: http.Agent, url: string, call: Call): Promise<number> =>
  sendCall(agent, url, call).then(
    ({ status }) => status,
    () => 0,
  );
