import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct, useOrg } from '../call/use-call.ts';
import { useNow } from '../frame/clock.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/field.tsx';
import { MomentFields, readMoment, write } from './moment-fields.tsx';

const weekMs = 7 * 86_400_000;
const fields = ['/webinar/title', '/webinar/start_time', '/webinar/duration_minutes', '/webinar/join_url'];

interface MakeWebinarProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** It starts as a draft: whoever makes it here looks at it before anybody is told a time. */
export function MakeWebinar({ open, onClose }: MakeWebinarProps) {
  const org = useOrg();
  const { now, zone } = useNow();
  const navigate = useNavigate();
  const create = useAct('create_webinar', ['list_webinars']);
  const [title, setTitle] = useState('');
  const [minutes, setMinutes] = useState('60');
  const [link, setLink] = useState('');
  const [written, setWritten] = useState<ReturnType<typeof write>>();
  const when = written ?? { ...write(new Date(now.getTime() + weekMs), zone), time: '18:00' };
  const start = readMoment(when);
  const problem = create.error;
  const missing =
    title.trim() === '' ? 'Give it a title.' : start === undefined ? 'Say when it starts.' : undefined;
  const make = (): void => {
    if (start === undefined) return;
    create.mutate(
      {
        webinar: {
          title,
          start_time: start.toISOString(),
          timezone: when.zone,
          status: 'draft',
          ...(minutes !== '' && { duration_minutes: Number(minutes) }),
          ...(link !== '' && { join_url: link }),
        },
      },
      {
        onSuccess: ({ webinar }) =>
          void navigate({ to: '/o/$org/webinars/$webinar', params: { org, webinar: webinar.id } }),
      },
    );
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="New webinar"
      footer={
        <span className="row end">
          <Button kind="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" unless={missing} busy={create.isPending && 'Making'} onClick={make}>
            Make a draft
          </Button>
        </span>
      }
    >
      <form
        className="col g4"
        onSubmit={(event) => {
          event.preventDefault();
          if (missing === undefined && !create.isPending) make();
        }}
      >
        <Field label="Title" error={problem?.at('/webinar/title')}>
          {(ids) => <Input {...ids} value={title} onChange={(event) => setTitle(event.target.value)} />}
        </Field>
        <MomentFields value={when} onChange={setWritten} error={problem?.at('/webinar/start_time')} />
        <Field label="Length in minutes" error={problem?.at('/webinar/duration_minutes')}>
          {(ids) => (
            <Input
              {...ids}
              type="number"
              min={1}
              value={minutes}
              onChange={(event) => setMinutes(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Join link"
          hint="Can be added later. A linked platform gives each registrant their own."
          error={problem?.at('/webinar/join_url')}
        >
          {(ids) => (
            <Input {...ids} type="url" value={link} onChange={(event) => setLink(event.target.value)} />
          )}
        </Field>
        {problem !== null && !problem.isAllAt(fields) && (
          <p className="err" role="alert">
            {problem.message}
          </p>
        )}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
    </Dialog>
  );
}
