import { useState } from 'react';
import { useWhyNot } from '../../frame/me.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import type { Webinar } from '../state.tsx';
import { AskedFields, type AskedField } from './asked-fields.tsx';
import { Conflict } from '../../ui/conflict.tsx';
import type { RegistrationPage } from './page-record.ts';
import { useSavePage, type Reading } from './use-save-page.ts';

interface PageFormProps {
  readonly webinar: Webinar;
  readonly page: RegistrationPage | null;
  readonly reading: Reading;
}

const usual: readonly AskedField[] = [
  { field: 'full_name', required: true },
  { field: 'email', required: true },
];

/** What the page says and asks. */
export function PageForm({ webinar, page, reading }: PageFormProps) {
  const [slug, setSlug] = useState(page?.slug ?? '');
  const [description, setDescription] = useState(page?.description ?? '');
  const [consent, setConsent] = useState(page?.consent_text ?? '');
  const [fields, setFields] = useState<readonly AskedField[]>(page?.fields ?? usual);
  const saving = useSavePage(webinar.id, reading);
  const whyNot = useWhyNot()('update_registration_page');
  const { problem } = saving;
  const save = (): void =>
    saving.save(
      {
        // A page that was never published is saved without being shown to anybody.
        ...(page === null && { published: false }),
        ...(slug !== '' && { slug }),
        description,
        consent_text: consent.trim() === '' ? null : consent,
        fields: fields.map((one) => ({ ...one })),
      },
      'Saved',
      'form',
    );
  return (
    <form
      className="card"
      aria-label="What it says and asks"
      onChange={() => reading.noteTyped('form')}
      onSubmit={(event) => {
        event.preventDefault();
        if (whyNot === undefined) save();
      }}
    >
      <header>
        <h2>What it says and asks</h2>
      </header>
      <div className="body col g4">
        <Field
          label="Last part of the address"
          hint={`Small letters, digits and hyphens. ${page === null ? 'Left empty, it is made of the title.' : 'The former address stops working.'}`}
          error={problem?.at('/slug') ?? (problem?.code === 'slug_taken' ? problem.message : undefined)}
        >
          {(ids) => <Input {...ids} value={slug} onChange={(event) => setSlug(event.target.value)} />}
        </Field>
        <Field
          label="Description"
          hint="Plain text below the title and time."
          error={problem?.at('/description')}
        >
          {(ids) => (
            <textarea
              {...ids}
              className="input area"
              rows={5}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </Field>
        <AskedFields
          fields={fields}
          onChange={(asked) => {
            setFields(asked);
            reading.noteTyped('form');
          }}
          error={problem?.at('/fields')}
        />
        <Field
          label="Consent"
          hint="What whoever registers must agree to. Left empty, nothing is asked."
          error={problem?.at('/consent_text')}
        >
          {(ids) => (
            <textarea
              {...ids}
              className="input area"
              rows={3}
              value={consent}
              onChange={(event) => setConsent(event.target.value)}
            />
          )}
        </Field>
        {saving.isConflict && <Conflict thing="page" onOverwrite={saving.overwrite} />}
        {problem?.code !== 'slug_taken' && (
          <Refusal problem={problem} fields={['/slug', '/description', '/fields', '/consent_text']} />
        )}
      </div>
      <footer>
        <Button type="submit" kind="primary" unless={whyNot} busy={saving.isSaving && 'Saving'}>
          Save
        </Button>
      </footer>
    </form>
  );
}
