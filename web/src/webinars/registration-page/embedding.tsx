import { useState } from 'react';
import { useWhyNot } from '../../frame/me.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import type { Webinar } from '../state.tsx';
import { Conflict } from '../../ui/conflict.tsx';
import type { RegistrationPage } from './page-record.ts';
import { useSavePage, type Reading } from './use-save-page.ts';

interface EmbeddingProps {
  readonly webinar: Webinar;
  readonly page: RegistrationPage;
  readonly reading: Reading;
}

/** The page in a frame on another site: which may, and what to paste there. */
export function Embedding({ webinar, page, reading }: EmbeddingProps) {
  const [written, setWritten] = useState(page.frame_origins.join('\n'));
  const saving = useSavePage(webinar.id, reading);
  const whyNot = useWhyNot()('update_registration_page');
  const snippet = snippetOf(webinar.title, page.embed_url);
  const save = (): void =>
    saving.save({ frame_origins: written.split(/\s+/).filter((origin) => origin !== '') }, 'Saved', 'sites');
  return (
    <section className="card" aria-label="On your own site">
      <header>
        <h2>On your own site</h2>
      </header>
      <div className="body col g4">
        <Field
          label="Sites that may show it in a frame"
          hint="One to a line, such as https://example.com. No other site may."
          error={saving.problem?.at('/frame_origins')}
        >
          {(ids) => (
            <textarea
              {...ids}
              className="input area mono"
              rows={3}
              value={written}
              onChange={(event) => {
                setWritten(event.target.value);
                reading.noteTyped('sites');
              }}
            />
          )}
        </Field>
        {saving.isConflict && <Conflict thing="page" onOverwrite={saving.overwrite} />}
        <Refusal problem={saving.problem} fields={['/frame_origins']} />
        {page.frame_origins.length === 0 ? (
          <p className="hint">Name a site first. A plain link to the page works everywhere.</p>
        ) : (
          <div className="rgp-snippet">
            <pre className="mono" aria-label="What to paste there" tabIndex={0}>
              {snippet}
            </pre>
            <CopyButton text={snippet} what="the snippet" />
          </div>
        )}
      </div>
      <footer>
        <Button unless={whyNot} busy={saving.isSaving && 'Saving'} onClick={save}>
          Save the sites
        </Button>
      </footer>
    </section>
  );
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };

const snippetOf = (title: string, url: string): string =>
  `<iframe src="${url}" title="Register: ${title.replaceAll(/[&<"]/g, (sign) => entities[sign]!)}" ` +
  'width="100%" height="900" loading="lazy"></iframe>';
