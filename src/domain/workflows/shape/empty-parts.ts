import type { FieldError } from '../../../kernel/failure.ts';

// Constants for the parts that a type of node has no use for.

export const nothingAccepted = async (): Promise<{ readonly errors: readonly FieldError[] }> => ({
  errors: [],
});

export const noProblems = {
  about: () => undefined,
  find: async (_work: unknown, asked: readonly unknown[]): Promise<readonly never[][]> => asked.map(() => []),
};

export const noSenders = (): readonly never[] => [];

export const asWritten = <Draft>(node: Draft): Draft => node;

export const takesNoTime = (): number => 0;

export const needsNoWebinar = (): undefined => undefined;

export const asksNothing = async (): Promise<ReadonlySet<string>> => new Set();

export const nobodyWaits = ({ type }: { readonly type: string }): never => {
  throw new Error(`a run waits at a node of type ${type}, which is no wait`);
};

export const setsNothing = (): readonly never[] => [];

export const writesNothing = async (): Promise<void> => undefined;

export const sendsNothing = (): null => null;

export const onlySteps = (): null => null;

export const noCounts = { messages: false } as const;
