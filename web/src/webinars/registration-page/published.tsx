import { useWhyNot } from '../../frame/me.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Refusal } from '../../ui/refusal.tsx';
import type { Webinar } from '../state.tsx';
import { Conflict } from '../../ui/conflict.tsx';
import type { RegistrationPage } from './page-record.ts';
import { useSavePage, type Reading } from './use-save-page.ts';

interface PublishedProps {
  readonly webinar: Webinar;
  readonly page: RegistrationPage | null;
  readonly reading: Reading;
}

/** Whether visitors reach it, and where. */
export function Published({ webinar, page, reading }: PublishedProps) {
  const saving = useSavePage(webinar.id, reading);
  const whyNot = useWhyNot()('update_registration_page');
  const isOpen = page?.published === true;
  const set = (published: boolean): void =>
    saving.save({ published }, published ? 'Published' : 'Taken down');
  return (
    <section className="card" aria-label="Address">
      <header className="wrap">
        <h2>Address</h2>
        <span className={`pill ${isOpen ? 'live' : 'draft'}`}>
          <Icon name={isOpen ? 'good' : 'edit'} />
          {isOpen ? 'Published' : page === null ? 'Not made yet' : 'Taken down'}
        </span>
        <span className="grow" />
        <Button
          kind={isOpen ? 'secondary' : 'primary'}
          unless={whyNot}
          busy={saving.isSaving && 'Saving'}
          onClick={() => set(!isOpen)}
        >
          {isOpen ? 'Take it down' : 'Publish'}
        </Button>
      </header>
      <div className="body col g3">
        {page === null ? (
          <p className="hint">
            Publish it as it stands below: it asks for full name and email, and its address is made of the
            title.
          </p>
        ) : (
          <p className="row wrap g2">
            <a className="mono link" href={page.url} target="_blank" rel="noreferrer">
              {page.url}
            </a>
            <CopyButton text={page.url} what="the address" />
          </p>
        )}
        {isOpen && <p className="hint">{noteOf(webinar)}</p>}
        {saving.isConflict && <Conflict thing="page" onOverwrite={saving.overwrite} />}
        <Refusal problem={saving.problem} />
      </div>
    </section>
  );
}

/** What visitors of a published page meet. */
function noteOf({ status, phase }: Webinar): string {
  if (status === 'canceled') return 'Visitors read that the webinar was canceled.';
  if (status === 'draft') return 'Visitors read that registration has not opened: the webinar is a draft.';
  return phase === 'ended' ? 'Visitors read that the webinar is over.' : 'Visitors can register.';
}
