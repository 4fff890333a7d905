import { lazy, Suspense, useState } from 'react';
import { useAsk } from '../../call/use-call.ts';
import { findSources } from '../../broadcasts/variables.ts';
import { Skeleton } from '../../ui/blank.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Input, Select } from '../../ui/field.tsx';
import type { Node } from '../graph/graph.ts';
import { toldAt } from '../model/told.ts';
import type { StepFormProps } from './step.ts';

const BodyEditor = lazy(async () => ({
  default: (await import('../../broadcasts/body/body-editor.tsx')).BodyEditor,
}));

type Email = Extract<Node, { type: 'send_email' }>;

const orNothing = (value: string): string | undefined => (value === '' ? undefined : value);

export function EmailFields({ id, part, told, isLocked, onChange }: StepFormProps<Email>) {
  const senders = useAsk('list_senders', {}).data?.senders ?? [];
  const line = (field: 'subject' | 'preview_text', label: string) => (
    <Field label={label} error={toldAt(told, id, field)}>
      {(ids) => (
        <Input
          {...ids}
          readOnly={isLocked}
          value={part[field] ?? ''}
          onChange={({ target: { value } }) => onChange({ [field]: orNothing(value) }, field)}
        />
      )}
    </Field>
  );
  return (
    <>
      {line('subject', 'Subject')}
      {line('preview_text', 'Preview text')}
      <Field label="Sender" error={toldAt(told, id, 'sender_id')}>
        {(ids) => (
          <Select
            {...ids}
            disabled={isLocked}
            value={part.sender_id ?? ''}
            choices={[
              ['', 'Choose a sender'],
              ...senders.map((sender) => [sender.id, `${sender.name}, ${sender.email}`] as const),
            ]}
            onChange={({ target: { value } }) => onChange({ sender_id: orNothing(value) }, 'sender_id')}
          />
        )}
      </Field>
      <Body id={id} part={part} told={told} isLocked={isLocked} onChange={onChange} />
    </>
  );
}

/** What is written, in a few words, and the editor of broadcasts to write it with. */
function Body({ id, part, told, isLocked, onChange }: Omit<StepFormProps<Email>, 'graph'>) {
  const [isOpen, setOpen] = useState(false);
  const listed = useAsk('list_broadcast_variables', {});
  const sources = findSources(listed.data?.variables ?? [], { channel: 'email', audience: 'webinar' });
  const wrong = toldAt(told, id, 'html') ?? toldAt(told, id, 'variables');
  const shown = (part.html ?? '').replaceAll(/<[^>]*>/g, ' ').trim();
  return (
    <div className="field">
      <span className="label">Body</span>
      <div className="bp">
        <p className={shown === '' ? 'hint' : 'clamp'}>{shown === '' ? 'Nothing is written yet.' : shown}</p>
        <Button size="s" icon="edit" onClick={() => setOpen(true)}>
          {isLocked ? 'Read the body' : 'Edit the body'}
        </Button>
      </div>
      {wrong !== undefined && <p className="err">{wrong}</p>}
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Body of the email"
        isWide
        footer={
          <span className="row end">
            <Button kind="primary" onClick={() => setOpen(false)}>
              Done
            </Button>
          </span>
        }
      >
        <Suspense fallback={<Skeleton rows={6} />}>
          <BodyEditor
            html={part.html ?? ''}
            variables={part.variables ?? {}}
            sources={sources}
            coverage={[]}
            isLocked={isLocked}
            onChange={(html, variables) => onChange({ html: orNothing(html), variables }, 'html')}
          />
        </Suspense>
      </Dialog>
    </div>
  );
}
