import { lazy, Suspense } from 'react';
import { useAsk } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { count } from '../format/number.ts';
import { Skeleton } from '../ui/blank.tsx';
import { Icon } from '../ui/icon.tsx';
import { TextBody } from './text-body.tsx';
import type { Draft } from './use-draft.ts';
import { findSources } from './variables.ts';

const BodyEditor = lazy(async () => ({ default: (await import('./body/body-editor.tsx')).BodyEditor }));

interface ContentBlockProps {
  readonly draft: Draft;
  readonly plan: Output<'plan_broadcast'> | undefined;
  readonly isLocked: boolean;
}

/** What they read. */
export function ContentBlock({ draft, plan, isLocked }: ContentBlockProps) {
  const { fields, change, problem } = draft;
  const { channel } = draft.saved;
  const listed = useAsk('list_broadcast_variables', {});
  const sources = findSources(listed.data?.variables ?? [], { channel, audience: fields.audience });
  const wrong = problem?.at('/html') ?? problem?.at('/message_body') ?? problem?.at('/variables');
  return (
    <section className="content" id="content-of-it" aria-label="Content">
      {channel === 'email' && (
        <>
          <Line
            label="Subject"
            value={fields.subject ?? ''}
            isLocked={isLocked}
            told={`${count((fields.subject ?? '').length)} characters`}
            error={
              problem?.at('/subject') ??
              (fields.subject === '' ? 'Write a subject. The saved one stays until you do.' : undefined)
            }
            onChange={(subject) => change({ subject })}
          />
          <Line
            label="Preview text"
            value={fields.preview_text ?? ''}
            isLocked={isLocked}
            told={count((fields.preview_text ?? '').length)}
            error={problem?.at('/preview_text')}
            onChange={(text) => change({ preview_text: text === '' ? null : text })}
          />
        </>
      )}
      {channel === 'email' ? (
        <Suspense fallback={<Skeleton rows={6} />}>
          <BodyEditor
            key={draft.saved.id}
            html={draft.saved.html ?? ''}
            variables={fields.variables ?? {}}
            sources={sources}
            coverage={plan?.variables ?? []}
            isLocked={isLocked}
            onChange={(html, variables) => change({ html, variables })}
          />
        </Suspense>
      ) : (
        <TextBody
          text={fields.message_body ?? ''}
          variables={fields.variables ?? {}}
          sources={sources}
          coverage={plan?.variables ?? []}
          isLocked={isLocked}
          onChange={(message_body, variables) => change({ message_body, variables })}
        />
      )}
      {wrong !== undefined && (
        <p className="note bad" role="alert">
          <Icon name="bad" />
          <span>{wrong}</span>
        </p>
      )}
    </section>
  );
}

interface LineProps {
  readonly label: string;
  readonly value: string;
  readonly told: string;
  readonly error: string | undefined;
  readonly isLocked: boolean;
  readonly onChange: (value: string) => void;
}

const Line = ({ label, value, told, error, isLocked, onChange }: LineProps) => (
  <div className="ln">
    <label>
      <span>{label}</span>
      <input
        value={value}
        readOnly={isLocked}
        aria-invalid={error === undefined ? undefined : true}
        onChange={(event) => onChange(event.target.value.replaceAll(/[\r\n]/g, ' '))}
      />
    </label>
    <span className={error === undefined ? 'hint' : 'err'}>{error ?? told}</span>
  </div>
);
