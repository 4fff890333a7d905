import { useState } from 'react';
import { useAct } from '../../call/use-call.ts';
import { useWhyNot } from '../../frame/me.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { Webinar } from '../state.tsx';
import type { RegistrationPage } from './page-record.ts';

interface EmbeddingProps {
  readonly webinar: Webinar;
  readonly page: RegistrationPage;
}

/** The page in a frame on another site: which may, and what to paste there. */
export function Embedding({ webinar, page }: EmbeddingProps) {
  const [written, setWritten] = useState(page.frame_origins.join('\n'));
  const update = useAct('update_registration_page', ['get_registration_page']);
  const toast = useToast();
  const whyNot = useWhyNot()('update_registration_page');
  const snippet = snippetOf(webinar.title, page.embed_url);
  const save = (): void =>
    update.mutate(
      { webinar_id: webinar.id, frame_origins: written.split(/\s+/).filter((origin) => origin !== '') },
      { onSuccess: () => toast('Saved') },
    );
  return (
    <section className="card" aria-label="On your own site">
      <header>
        <h2>On your own site</h2>
      </header>
      <div className="body col g4">
        <Field
          label="Sites that may show it in a frame"
          hint="One to a line, such as https://example.com. No other site may."
          error={update.error?.at('/frame_origins')}
        >
          {(ids) => (
            <textarea
              {...ids}
              className="input area mono"
              rows={3}
              value={written}
              onChange={(event) => setWritten(event.target.value)}
            />
          )}
        </Field>
        <Refusal problem={update.error} fields={['/frame_origins']} />
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
        <Button unless={whyNot} busy={update.isPending && 'Saving'} onClick={save}>
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
