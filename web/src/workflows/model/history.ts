export interface History<State> {
  readonly past: readonly State[];
  readonly present: State;
  readonly future: readonly State[];
  /** What the last change was about. Changes about the same thing are undone together. */
  readonly about: string | undefined;
  /** Counts undoing and redoing: forms that keep what is typed begin anew with it. */
  readonly turn: number;
}

const mostKept = 200;

export const begin = <State>(present: State): History<State> => ({
  past: [],
  present,
  future: [],
  about: undefined,
  turn: 0,
});

export function go<State>(history: History<State>, present: State, about?: string): History<State> {
  if (present === history.present) return history;
  const isSame = about !== undefined && about === history.about;
  const past = isSame ? history.past : [...history.past, history.present].slice(-mostKept);
  return { ...history, past, present, future: [], about };
}

export function undo<State>({ past, present, future, turn }: History<State>): History<State> {
  if (past.length === 0) return { past, present, future, turn, about: undefined };
  return {
    past: past.slice(0, -1),
    present: past.at(-1)!,
    future: [present, ...future],
    about: undefined,
    turn: turn + 1,
  };
}

export function redo<State>({ past, present, future, turn }: History<State>): History<State> {
  if (future.length === 0) return { past, present, future, turn, about: undefined };
  return {
    past: [...past, present],
    present: future[0]!,
    future: future.slice(1),
    about: undefined,
    turn: turn + 1,
  };
}
