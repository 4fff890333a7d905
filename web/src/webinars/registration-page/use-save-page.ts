import { useRef, useState } from 'react';
import type { Problem } from '../../call/problem.ts';
import type { Input } from '../../call/types.ts';
import { useAct } from '../../call/use-call.ts';
import { useToast } from '../../ui/toast.tsx';
import type { RegistrationPage } from './page-record.ts';

type Part = 'form' | 'sites';
type Sent = Omit<Input<'update_registration_page'>, 'webinar_id'>;
type Changes = Omit<Sent, 'revision'>;

/** Which revision somebody looks at: what they typed stays, whatever others save. */
export interface Reading {
  readonly revision: number;
  /** The fields are filled anew when it changes. */
  readonly filledAt: number;
  readonly goOnAt: (revision: number) => void;
  readonly noteTyped: (part: Part) => void;
  /** To be called when a part is sent; what it returns, once that was saved. Whatever was typed in between stays typed. */
  readonly noteSent: (part: Part) => () => void;
}

export function useReading(page: RegistrationPage | null): Reading {
  const latest = page?.revision ?? 0;
  const [typed, setTyped] = useState<readonly Part[]>([]);
  const [revision, goOnAt] = useState(latest);
  const [filledAt, fillAt] = useState(latest);
  const changes = useRef({ form: 0, sites: 0 });
  if (typed.length === 0 && latest > filledAt) fillAt(latest);
  if (typed.length === 0 && latest > revision) goOnAt(latest);
  return {
    revision,
    filledAt,
    goOnAt,
    noteTyped: (part) => {
      changes.current[part]++;
      setTyped((old) => [...new Set([...old, part])]);
    },
    noteSent: (part) => {
      const sent = changes.current[part];
      return () => {
        if (changes.current[part] === sent) setTyped((old) => old.filter((one) => one !== part));
      };
    },
  };
}

export interface SavePage {
  readonly save: (changes: Changes, said: string, part?: Part) => void;
  /** Of two who edited, this one is meant. */
  readonly overwrite: () => void;
  readonly isSaving: boolean;
  readonly isConflict: boolean;
  /** Whatever else was refused. */
  readonly problem: Problem | null;
}

/** Saves with the revision that was read: nothing is overwritten unseen. */
export function useSavePage(webinar_id: string, { revision, goOnAt, noteSent }: Reading): SavePage {
  const update = useAct('update_registration_page', ['get_registration_page']);
  const toast = useToast();
  const [again, setAgain] = useState<() => void>();
  const isConflict = update.error?.code === 'registration_page_changed';
  const send = (sent: Sent, said: string, part?: Part): void => {
    const noteSaved = part && noteSent(part);
    update.mutate(
      { webinar_id, ...sent },
      {
        onSuccess: ({ registration_page }) => {
          noteSaved?.();
          goOnAt(registration_page.revision);
          toast(said);
        },
      },
    );
  };
  return {
    save: (changes, said, part) => {
      setAgain(() => () => send(changes, said, part));
      send({ ...changes, revision }, said, part);
    },
    overwrite: () => again?.(),
    isSaving: update.isPending,
    isConflict,
    problem: isConflict ? null : update.error,
  };
}
