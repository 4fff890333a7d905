import { Link } from '@tanstack/react-router';
import { useAsk, useOrg } from '../../call/use-call.ts';
import type { Webinar } from '../state.tsx';

/** On the page of a webinar: whether people can register themselves, and the way to change it. */
export function PageSection({ webinar }: { readonly webinar: Webinar }) {
  const org = useOrg();
  const asked = useAsk('get_registration_page', { webinar_id: webinar.id });
  const page = asked.data?.registration_page;
  return (
    <section>
      <h2 className="h2">Registration page</h2>
      {asked.error !== null ? (
        <p className="err">{asked.error.message}</p>
      ) : (
        page !== undefined && (
          <p className="hint mt2">
            {page?.published === true ? `Published at /w/${page.slug}` : 'People cannot register themselves.'}
          </p>
        )
      )}
      <Link
        className="btn secondary s mt2"
        to="/o/$org/webinars/$webinar/registration-page"
        params={{ org, webinar: webinar.id }}
      >
        {page === null ? 'Make a page' : 'Open'}
      </Link>
    </section>
  );
}
