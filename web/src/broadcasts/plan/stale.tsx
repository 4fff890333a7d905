import type { Problem } from '../../call/problem.ts';
import { Icon } from '../../ui/icon.tsx';
import { capital } from '../words.ts';

/** What a plan was made of and is no longer so, as the service tells it. */
export const Stale = ({ problem }: { readonly problem: Problem }) => (
  <div className="note warn stale" role="alert">
    <Icon name="warning" />
    <div className="grow">
      <b>It changed after it was planned.</b> Nothing was scheduled.
      <ul className="mt2">
        {problem.errors.map(({ pointer, detail }) => (
          <li key={pointer}>
            <span className="medium">{capital(pointer.slice(1).replaceAll(/[_/]/g, ' '))}</span>
            <p>{detail}</p>
          </li>
        ))}
      </ul>
    </div>
  </div>
);
