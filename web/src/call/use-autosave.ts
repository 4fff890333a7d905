import { useCallback, useEffect, useRef, useState } from 'react';
import { Problem } from './problem.ts';

const restMs = 700;

interface Saved {
  readonly revision: number;
  readonly updated_at: string;
}

interface AutosaveOptions<Changes> {
  /** As it was read. */
  readonly first: Saved;
  /** The refusal that says somebody else was faster. */
  readonly conflict: Problem['code'];
  /** Sends changes with the revision they were made at, or without one to save over what is there. Stable. */
  readonly send: (changes: Changes, revision: number | undefined) => Promise<Saved>;
}

export interface Autosave<Changes> {
  readonly change: (changes: Changes) => void;
  readonly state: 'saved' | 'waiting' | 'saving' | 'refused' | 'conflict';
  /** Why the last change was not saved. It is still here. */
  readonly problem: Problem | undefined;
  readonly savedAt: Date;
  /** Saves what waits, at once; resolves when nothing waits any more or it was refused. */
  readonly saveNow: () => Promise<boolean>;
  /** Of two who edited, this one is meant: saves over what is there. */
  readonly overwrite: () => void;
  /** Another operation of this page went on to that revision. */
  readonly goOnAt: (revision: number) => void;
}

/** Saves some time after the last change, with the revision that was read: nothing is overwritten unseen. */
export function useAutosave<Changes extends object>({
  first,
  conflict,
  send,
}: AutosaveOptions<Changes>): Autosave<Changes> {
  const [state, setState] = useState<Autosave<Changes>['state']>('saved');
  const [problem, setProblem] = useState<Problem>();
  const [savedAt, setSavedAt] = useState(() => new Date(first.updated_at));
  const waiting = useRef<Partial<Changes>>({});
  const revision = useRef<number | undefined>(first.revision);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isStuck = useRef(false);
  const running = useRef<Promise<boolean>>(undefined);

  const saveOnce = useCallback(async (): Promise<boolean> => {
    const sent = waiting.current;
    waiting.current = {};
    setState('saving');
    try {
      const saved = await send(sent as Changes, revision.current);
      revision.current = saved.revision;
      setSavedAt(new Date(saved.updated_at));
      setProblem(undefined);
      setState(Object.keys(waiting.current).length === 0 ? 'saved' : 'waiting');
      return true;
    } catch (error) {
      waiting.current = { ...sent, ...waiting.current };
      if (!(error instanceof Problem)) throw error;
      setProblem(error);
      isStuck.current = error.code === conflict;
      setState(isStuck.current ? 'conflict' : 'refused');
      return false;
    }
  }, [conflict, send]);

  const saveNow = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current);
    while (running.current !== undefined) await running.current;
    while (Object.keys(waiting.current).length > 0) {
      running.current = saveOnce().finally(() => {
        running.current = undefined;
      });
      if (!(await running.current)) return false;
    }
    return true;
  }, [saveOnce]);

  const change = useCallback(
    (changes: Changes): void => {
      waiting.current = { ...waiting.current, ...changes };
      setState((old) => (old === 'conflict' ? old : 'waiting'));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        if (!isStuck.current) void saveNow();
      }, restMs);
    },
    [saveNow],
  );

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (Object.keys(waiting.current).length > 0) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => {
      removeEventListener('beforeunload', warn);
      if (!isStuck.current) void saveNow();
    };
  }, [saveNow]);

  const overwrite = useCallback((): void => {
    revision.current = undefined;
    isStuck.current = false;
    void saveNow();
  }, [saveNow]);

  const goOnAt = useCallback((at: number): void => {
    revision.current = at;
  }, []);

  return { change, state, problem, savedAt, saveNow, overwrite, goOnAt };
}
