import { Link } from '@tanstack/react-router';
import { Skeleton } from '../ui/blank.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Concerns } from './concerns.ts';

export function WantsALook({ concerns: { problem, found } }: { readonly concerns: Concerns }) {
  return (
    <section className="card">
      <header>
        <h2>Wants a look</h2>
      </header>
      {problem !== null ? (
        <p className="body err">{problem.message}</p>
      ) : found === undefined ? (
        <Skeleton rows={2} />
      ) : found.length === 0 ? (
        <p className="body muted">Nothing does.</p>
      ) : (
        <ul className="list">
          {found.map(({ key, title, told, to, verb }) => (
            <li key={key} className="top ck warn">
              <Icon name="warning" />
              <span className="grow">
                <b className="medium">{title}</b>
                <br />
                <span className="hint">{told}</span>
              </span>
              <Link className="link" to={to} aria-label={`${verb}: ${title}`}>
                {verb}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
