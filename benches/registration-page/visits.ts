import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { answerQuestions } from '../support/forked.ts';
import { timesOf, type Times } from '../support/in-turns.ts';

/** People, and programs of five kinds. Of ten visitors five are people. */
export const kinds = ['person', 'blind', 'trapped', 'too fast', 'replayer', 'one address'] as const;
export type Kind = (typeof kinds)[number];
const turns: readonly Kind[] = [
  'person',
  'blind',
  'person',
  'trapped',
  'person',
  'too fast',
  'person',
  'replayer',
  'person',
  'one address',
];

export interface Visit {
  readonly ask: 'visit';
  readonly url: string;
  readonly slug: string;
  /** Forms that are sent in a second. */
  readonly perSecond: number;
  readonly seconds: number;
}

export interface Visited {
  readonly sent: Readonly<Record<Kind, number>>;
  /** Answered as registered. */
  readonly taken: Readonly<Record<Kind, number>>;
  /** Answered with the form and what to do next. */
  readonly again: Readonly<Record<Kind, number>>;
  /** From sending the form to the answer. */
  readonly people: Times;
  /** Answered with 5xx, or not at all: how many by each reason. */
  readonly failed: Readonly<Record<string, number>>;
}

const readingMs = 2_200;
const none = (): Record<Kind, number> =>
  Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;

/** Everybody comes from an address of their own, but for the one kind. */
const addressOf = (kind: Kind, visitor: number): string =>
  kind === 'one address'
    ? '192.0.2.1'
    : `10.${(visitor >> 16) & 255}.${(visitor >> 8) & 255}.${visitor & 255}`;

async function visit({ url, slug, perSecond, seconds }: Visit): Promise<Visited> {
  const [sent, taken, again] = [none(), none(), none()];
  const took: number[] = [];
  const failed: Record<string, number> = {};
  const fail = (why: string): void => void (failed[why] = (failed[why] ?? 0) + 1);
  const page = `${url}/w/${slug}`;
  const open = async (): Promise<string> =>
    /name="token"\s+value="([^"]+)"/.exec(await (await fetch(page)).text())![1]!;
  const replayed = await open();
  await pause(readingMs);

  async function formOf(kind: Kind): Promise<Record<string, string>> {
    if (kind === 'blind') return {};
    if (kind === 'replayer') return { token: replayed };
    const token = await open();
    if (kind !== 'too fast') await pause(readingMs);
    return kind === 'trapped' ? { token, website: 'https://spam.example' } : { token };
  }

  async function come(visitor: number): Promise<void> {
    const kind = turns[visitor % turns.length]!;
    const email = `${kind.replace(' ', '-')}-${visitor}@example.net`;
    const form = { full_name: 'Ada Example', email, ...(await formOf(kind)) };
    const began = performance.now();
    sent[kind]++;
    const answer = await fetch(page, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'x-forwarded-for': addressOf(kind, visitor) },
      body: new URLSearchParams(form),
    });
    const { status } = answer;
    const text = await answer.text();
    if (kind === 'person') took.push(performance.now() - began);
    if (status === 303) taken[kind]++;
    else if (status < 500) again[kind]++;
    else fail(`${status}: ${noticeIn(text)}`);
  }

  const visits: Promise<void>[] = [];
  const began = performance.now();
  for (let visitor = 0; visitor < perSecond * seconds; visitor++) {
    await pause(Math.max(0, began + (visitor * 1000) / perSecond - performance.now()));
    visits.push(come(visitor).catch((error: unknown) => fail(reasonOf(error))));
  }
  await Promise.all(visits);
  return { sent, taken, again, people: timesOf(took), failed };
}

/** What the page says to whoever it turned away. */
const noticeIn = (text: string): string =>
  (/role="alert">\s*<p>([^<]+)/.exec(text) ?? /<h1>([^<]+)/.exec(text))?.[1] ?? 'no page';

const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  return `${message}: ${(cause as { code?: string } | undefined)?.code ?? 'no code'}`;
};

setPriority(19); // visitors do not work on the machine of the service
answerQuestions({ visit });
