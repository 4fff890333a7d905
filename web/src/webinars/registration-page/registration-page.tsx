import { useParams } from '@tanstack/react-router';
import { useAsk, useOrg } from '../../call/use-call.ts';
import { Page } from '../../frame/frame.tsx';
import { Failed, Skeleton } from '../../ui/blank.tsx';
import type { Webinar } from '../state.tsx';
import { Embedding } from './embedding.tsx';
import { PageForm } from './page-form.tsx';
import type { RegistrationPage } from './page-record.ts';
import { Published } from './published.tsx';
import { useReading } from './use-save-page.ts';
import './registration-page.css';

/** The page at which people register for one webinar themselves. */
export function RegistrationPageScreen() {
  const org = useOrg();
  const { webinar: webinar_id } = useParams({ from: '/o/$org/webinars/$webinar/registration-page' });
  const about = useAsk('get_webinar', { webinar_id });
  const asked = useAsk('get_registration_page', { webinar_id });
  const webinar = about.data?.webinar;
  const problem = about.error ?? asked.error;
  const retry = (): void => {
    void about.refetch();
    void asked.refetch();
  };
  return (
    <Page
      crumbs={[
        ['Webinars', `/o/${org}/webinars`],
        [webinar?.title ?? 'Webinar', `/o/${org}/webinars/${webinar_id}`],
      ]}
      title="Registration page"
    >
      {problem !== null ? (
        <Failed heading="h1" problem={problem} what="this registration page" retry={retry} />
      ) : webinar === undefined || asked.data === undefined ? (
        <Skeleton rows={10} heading="Registration page" />
      ) : (
        <div className="page rgp">
          <Loaded webinar={webinar} page={asked.data.registration_page} />
        </div>
      )}
    </Page>
  );
}

interface LoadedProps {
  readonly webinar: Webinar;
  readonly page: RegistrationPage | null;
}

function Loaded({ webinar, page }: LoadedProps) {
  const reading = useReading(page);
  const known = { webinar, reading };
  return (
    <>
      <div className="head wrap">
        <div className="grow">
          <h1>Registration page</h1>
          <p className="sub">Where people register for {webinar.title} themselves.</p>
        </div>
      </div>
      <Published page={page} {...known} />
      <PageForm key={`form ${reading.filledAt}`} page={page} {...known} />
      {page !== null && <Embedding key={`sites ${reading.filledAt}`} page={page} {...known} />}
    </>
  );
}
