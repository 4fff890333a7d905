import type { UseMutationResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Problem } from '../call/problem.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Refusal } from './refusal.tsx';

interface AskFirstProps<Sent, Told> {
  /** The button, and the answer in the dialog: "Delete". */
  readonly verb: string;
  /** Said while it is done: "Deleting". */
  readonly busy: string;
  /** What it is done to, for whoever does not see the row. */
  readonly what: string;
  readonly keep: string;
  readonly whyNot: string | undefined;
  readonly act: UseMutationResult<Told, Problem, Sent>;
  readonly input: Sent;
  readonly onDone?: (told: Told) => void;
  /** What it means, and that it is for good. */
  readonly children: ReactNode;
}

/** What cannot be undone is asked before; a refusal is told in the words of the service. */
export function AskFirst<Sent, Told>({
  verb,
  busy,
  what,
  keep,
  whyNot,
  act,
  input,
  onDone,
  children,
}: AskFirstProps<Sent, Told>) {
  const [isAsked, setAsked] = useState(false);
  const ask = (): void => {
    act.reset();
    setAsked(true);
  };
  return (
    <>
      <Button kind="danger-ghost" size="s" unless={whyNot} aria-label={`${verb} ${what}`} onClick={ask}>
        {verb}
      </Button>
      <Dialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`${verb} ${what}?`}
        footer={
          <span className="row end">
            <Button kind="ghost" onClick={() => setAsked(false)}>
              {keep}
            </Button>
            <Button
              kind="danger"
              busy={act.isPending && busy}
              // Told by the promise: the row that asked may be gone by then.
              onClick={() =>
                void act.mutateAsync(input).then(
                  (told) => {
                    setAsked(false);
                    onDone?.(told);
                  },
                  () => undefined,
                )
              }
            >
              {verb}
            </Button>
          </span>
        }
      >
        <div className="col g4">
          <p className="muted">{children}</p>
          <Refusal problem={act.error} />
        </div>
      </Dialog>
    </>
  );
}
