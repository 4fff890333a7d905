import { useId, type ReactNode } from 'react';
import type { Problem } from '../call/problem.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Refusal } from './refusal.tsx';

interface FormDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly verb: string;
  /** Said while it is sent: "Saving". */
  readonly busy: string | false;
  readonly problem: Problem | null;
  /** The fields that tell their own complaints. */
  readonly fields: readonly string[];
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** Some fields in a dialog, sent by its button or by Enter. */
export function FormDialog({
  open,
  onClose,
  title,
  verb,
  busy,
  problem,
  fields,
  onSubmit,
  children,
}: FormDialogProps) {
  const id = useId();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      footer={
        <span className="row end">
          <Button kind="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" type="submit" form={id} busy={busy}>
            {verb}
          </Button>
        </span>
      }
    >
      <form
        id={id}
        className="col g4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (busy === false) onSubmit();
        }}
      >
        {children}
        <Refusal problem={problem} fields={fields} />
      </form>
    </Dialog>
  );
}
