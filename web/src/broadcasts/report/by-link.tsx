import { Link } from '@tanstack/react-router';
import { useOrg } from '../../call/use-call.ts';
import { count, people } from '../../format/number.ts';
import type { Stats } from './outcomes.tsx';

/** Which link was followed by how many, each with who they are. */
export function ByLink({ stats: { broadcast_id, links } }: { readonly stats: Stats }) {
  const org = useOrg();
  const most = Math.max(1, ...links.map(({ clicked }) => clicked));
  return (
    <section className="card" aria-label="By link">
      <header>
        <h2>By link</h2>
      </header>
      <ul className="list">
        {links.map(({ url, placeholder, clicked, clicks }, place) => (
          // A message may lead to one address twice.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={place}>
            <span className="grow mono ellipsis" title={url ?? undefined}>
              {url ?? `each person's own (${placeholder ?? ''})`}
            </span>
            <span className="meter only-wide" aria-hidden="true">
              <i style={{ width: `${(100 * clicked) / most}%` }} />
            </span>
            <span className="num" title={`${count(clicks)} clicks`}>
              {people(clicked)}
            </span>
            <Link
              className="link"
              to="/o/$org/broadcasts/$broadcast/report"
              params={{ org, broadcast: broadcast_id }}
              search={{ link: url ?? placeholder ?? '' }}
              hash="recipients"
              aria-label={`Who followed ${url ?? placeholder ?? ''}`}
            >
              Who
            </Link>
          </li>
        ))}
      </ul>
      <footer className="hint">
        Clicks by link scanners are left out. One person may have followed several links.
      </footer>
    </section>
  );
}
