import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../call/call.ts';
import { Problem } from '../call/problem.ts';
import type { Input, OperationName } from '../call/types.ts';
import { useOrg } from '../call/use-call.ts';
import type { Broadcast } from './state-pill.tsx';

export type Changes = Omit<Input<'update_broadcast'>, 'broadcast_id' | 'revision'>;
export type Fields = Required<{ readonly [Name in keyof Changes]: NonNullable<Changes[Name]> | null }>;

/** What somebody writes: what is saved, with what they changed over it. */
const fieldsOf = (saved: Broadcast): Fields => ({
  channel: saved.channel,
  audience: saved.audience.kind,
  segment_id: saved.audience.segment_id,
  webinar_id: saved.audience.webinar_id,
  webinar_audience: saved.audience.webinar_audience,
  webinar_offset_minutes: saved.timing.webinar_offset_minutes,
  webinar_anchor: saved.timing.webinar_anchor,
  subject: saved.subject,
  preview_text: saved.preview_text,
  html: saved.html,
  message_body: saved.message_body,
  variables: saved.variables,
  sender_id: saved.sender?.id ?? null,
});

const ofMessage = new Set(['subject', 'preview_text', 'html', 'message_body', 'variables', 'sender_id']);

/** A subject cannot be cleared: an empty one is a moment between two. */
const sendable = ({ subject, ...rest }: Changes): Changes => (subject ? { ...rest, subject } : rest);

const restMs = 700;
const readFromIt: readonly OperationName[] = ['plan_broadcast', 'preview_broadcast', 'list_broadcasts'];

export interface Draft {
  readonly saved: Broadcast;
  readonly fields: Fields;
  readonly change: (changes: Changes) => void;
  readonly state: 'saved' | 'waiting' | 'saving' | 'refused' | 'conflict';
  /** Why the last change was not saved. It is still here. */
  readonly problem: Problem | undefined;
  readonly savedAt: Date;
  /** Saves what waits, at once; resolves when nothing waits any more or it was refused. */
  readonly saveNow: () => Promise<boolean>;
  /** To email or text: the service keeps the message of the other channel apart, and so does this. */
  readonly turnTo: (channel: Broadcast['channel']) => void;
  /** Of two who edited, this one is meant: saves over what is there. */
  readonly overwrite: () => void;
}

/** Saves some time after the last change, with the revision that was read: nothing is overwritten unseen. */
export function useDraft(first: Broadcast): Draft {
  const org = useOrg();
  const client = useQueryClient();
  const [saved, setSaved] = useState(first);
  const [local, setLocal] = useState<Changes>({});
  const [state, setState] = useState<Draft['state']>('saved');
  const [problem, setProblem] = useState<Problem>();
  const [savedAt, setSavedAt] = useState(() => new Date(first.updated_at));
  const waiting = useRef<Changes>({});
  const revision = useRef<number | undefined>(first.revision);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isStuck = useRef(false);
  const running = useRef<Promise<boolean>>(undefined);

  const saveOnce = useCallback(async (): Promise<boolean> => {
    const sent = waiting.current;
    waiting.current = {};
    setState('saving');
    try {
      const at = revision.current;
      const { broadcast } = await call(org, 'update_broadcast', {
        broadcast_id: first.id,
        ...(at !== undefined && { revision: at }),
        ...sendable(sent),
      });
      revision.current = broadcast.revision;
      client.setQueryData([org, 'get_broadcast', { broadcast_id: first.id }], { broadcast });
      setSaved(broadcast);
      setSavedAt(new Date(broadcast.updated_at));
      setProblem(undefined);
      setState(Object.keys(waiting.current).length === 0 ? 'saved' : 'waiting');
      for (const name of readFromIt) void client.invalidateQueries({ queryKey: [org, name] });
      return true;
    } catch (error) {
      waiting.current = { ...sent, ...waiting.current };
      if (!(error instanceof Problem)) throw error;
      setProblem(error);
      isStuck.current = error.code === 'broadcast_changed';
      setState(isStuck.current ? 'conflict' : 'refused');
      return false;
    }
  }, [client, first.id, org]);

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
      setLocal((old) => ({ ...old, ...changes }));
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

  const turnTo = useCallback(
    (channel: Broadcast['channel']): void =>
      void saveNow().then((isSaved) => {
        if (!isSaved) return;
        setLocal(
          (old) =>
            Object.fromEntries(Object.entries(old).filter(([name]) => !ofMessage.has(name))) as Changes,
        );
        change({ channel });
      }),
    [saveNow, change],
  );

  const fields = { ...fieldsOf(saved), ...local } as Fields;
  return { saved, fields, change, state, problem, savedAt, saveNow, turnTo, overwrite };
}
