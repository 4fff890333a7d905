import { count, people } from '../../format/number.ts';
import type { Stats } from './outcomes.tsx';

export function ByLink({ stats: { links } }: { readonly stats: Stats }) {
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
          </li>
        ))}
      </ul>
      <footer className="hint">
        Clicks by link scanners are left out. One person may have followed several links.
      </footer>
    </section>
  );
}
