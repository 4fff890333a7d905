import type { Output } from '../../call/types.ts';

export type Told = Output<'simulate_workflow'>;
export type Step = Told['steps'][number];
export type Message = Told['messages'][number];

/** Where somebody would be at a moment. */
export type Standing =
  | { readonly is: 'before' }
  | { readonly is: 'waiting'; readonly node: string; readonly until: number }
  | { readonly is: 'ended'; readonly at: number }
  /** Farther than the service looks. */
  | { readonly is: 'beyond' };

const msOf = ({ at }: Step): number => Date.parse(at);

/** The steps tell when a wait is left: until then somebody stands there. */
export function standingAt({ steps }: Pick<Told, 'steps'>, startAt: number, at: number): Standing {
  if (at < startAt) return { is: 'before' };
  const next = steps.find((step) => msOf(step) > at);
  if (next !== undefined) return { is: 'waiting', node: next.node, until: msOf(next) };
  const last = steps.at(-1);
  return last?.did === 'ended' ? { is: 'ended', at: msOf(last) } : { is: 'beyond' };
}

/** The steps done by a moment, and those after it. */
export function partedAt(
  { steps }: Pick<Told, 'steps'>,
  at: number,
): { readonly done: readonly Step[]; readonly ahead: readonly Step[] } {
  const cut = steps.findIndex((step) => msOf(step) > at);
  return cut === -1 ? { done: steps, ahead: [] } : { done: steps.slice(0, cut), ahead: steps.slice(cut) };
}

export interface Letter {
  readonly node: string;
  readonly at: number;
  readonly channel: Message['channel'];
  readonly subject: string | null;
  /** Why it would not come; undefined when it would. */
  readonly reason: string | undefined;
}

/** The messages on the way of one person, in order, also those that would not come. */
export const lettersOf = ({ steps, messages }: Pick<Told, 'steps' | 'messages'>): readonly Letter[] => {
  const byNode = new Map(messages.map((message) => [message.node, message]));
  return steps.flatMap((step): Letter[] => {
    const message = byNode.get(step.node);
    if (step.did !== 'added' || message === undefined) return [];
    const { channel, subject, excluded } = message;
    return [{ node: step.node, at: msOf(step), channel, subject, reason: excluded[0]?.reason }];
  });
};
