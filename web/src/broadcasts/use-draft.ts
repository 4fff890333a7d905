import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { call } from '../call/call.ts';
import type { Input, OperationName } from '../call/types.ts';
import { useAutosave, type Autosave } from '../call/use-autosave.ts';
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
  hold_if_audience_changes_by: saved.hold_if_audience_changes_by,
});

const ofMessage = new Set(['subject', 'preview_text', 'html', 'message_body', 'variables', 'sender_id']);

/** A subject cannot be cleared: an empty one is a moment between two. */
const sendable = ({ subject, ...rest }: Changes): Changes => (subject ? { ...rest, subject } : rest);

const readFromIt: readonly OperationName[] = ['plan_broadcast', 'preview_broadcast', 'list_broadcasts'];

export interface Draft extends Omit<Autosave<Changes>, 'goOnAt'> {
  readonly saved: Broadcast;
  readonly fields: Fields;
  /** To email or text: the service keeps the message of the other channel apart, and so does this. */
  readonly turnTo: (channel: Broadcast['channel']) => void;
}

export function useDraft(first: Broadcast): Draft {
  const org = useOrg();
  const client = useQueryClient();
  const [saved, setSaved] = useState(first);
  const [local, setLocal] = useState<Changes>({});

  const send = useCallback(
    async (changes: Changes, revision: number | undefined): Promise<Broadcast> => {
      const { broadcast } = await call(org, 'update_broadcast', {
        broadcast_id: first.id,
        ...(revision !== undefined && { revision }),
        ...sendable(changes),
      });
      client.setQueryData([org, 'get_broadcast', { broadcast_id: first.id }], { broadcast });
      setSaved(broadcast);
      for (const name of readFromIt) void client.invalidateQueries({ queryKey: [org, name] });
      return broadcast;
    },
    [client, first.id, org],
  );
  const autosave = useAutosave({ first, conflict: 'broadcast_changed', send });
  const { saveNow, change: saveLater } = autosave;

  const change = useCallback(
    (changes: Changes): void => {
      setLocal((old) => ({ ...old, ...changes }));
      saveLater(changes);
    },
    [saveLater],
  );

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
  return { ...autosave, saved, fields, change, turnTo };
}
