import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';
import type { Webinar } from './state.tsx';

const labels = [
  ['title', 'Title', 'text'],
  ['timezone', 'Zone', 'text'],
  ['duration_minutes', 'Length in minutes', 'number'],
  ['join_url', 'Join link', 'url'],
  ['provider', 'Platform', 'text'],
] as const;
type Name = (typeof labels)[number][0];

interface AboutWebinar {
  readonly webinar: Webinar;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Everything but its time, which is rescheduled because reminders hang on it. */
export function ChangeWebinar({ webinar, open, onClose }: AboutWebinar) {
  const [written, setWritten] = useState(
    () =>
      Object.fromEntries(labels.map(([name]) => [name, String(webinar[name] ?? '')])) as Record<Name, string>,
  );
  const update = useAct('update_webinar', ['get_webinar', 'list_webinars', 'preview_reschedule']);
  const toast = useToast();
  const whyNot =
    useWhyNot()('update_webinar') ?? (webinar.status === 'canceled' ? 'It is canceled.' : undefined);
  const problem = update.error;
  const changed = labels
    .map(([name]) => name)
    .filter((name) => written[name] !== String(webinar[name] ?? ''));
  const save = (): void =>
    update.mutate(
      {
        webinar_id: webinar.id,
        ...Object.fromEntries(changed.map((name) => [name, valueOf(name, written[name])])),
      },
      {
        onSuccess: () => {
          toast('Saved');
          onClose();
        },
      },
    );
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Change details"
      footer={
        <span className="row end">
          <Button kind="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button
            kind="primary"
            unless={whyNot ?? (changed.length === 0 && 'Nothing is changed.')}
            busy={update.isPending && 'Saving'}
            onClick={save}
          >
            Save
          </Button>
        </span>
      }
    >
      <div className="col g4">
        {labels.map(([name, label, type]) => (
          <Field key={name} label={label} error={problem?.at(`/${name}`)}>
            {(ids) => (
              <Input
                {...ids}
                type={type}
                value={written[name]}
                onChange={(event) => setWritten({ ...written, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
        {problem !== null && !problem.isAllAt(labels.map(([name]) => `/${name}`)) && (
          <p className="err" role="alert">
            {problem.message}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** An emptied field is cleared; the service refuses to clear a title. */
const valueOf = (name: Name, text: string): string | number | null =>
  name === 'title' ? text : text === '' ? null : name === 'duration_minutes' ? Number(text) : text;
