import type { ReactNode } from 'react';
import type { Problem } from '../call/problem.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import './blank.css';

interface BlankProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
  readonly heading?: 'h1' | 'h2';
}

/** A page that has nothing to show yet: what it is, one sentence, one action. */
export const Blank = ({ icon, title, children, action, heading: Heading = 'h2' }: BlankProps) => (
  <div className="blank">
    <span className="glyph">
      <Icon name={icon} />
    </span>
    <Heading>{title}</Heading>
    <p>{children}</p>
    {action}
  </div>
);

interface FailedProps {
  readonly problem: Problem;
  readonly what: string;
  readonly retry: () => void;
  readonly heading?: 'h1' | 'h2';
}

/** What failed, in the service's words; what to do; the id by which whoever runs it finds the request. */
export function Failed({ problem, what, retry, heading = 'h2' }: FailedProps) {
  if (problem.status === 403)
    return (
      <Blank heading={heading} icon="lock" title={`You may not see ${what}`}>
        {problem.message}
      </Blank>
    );
  if (problem.status === 404)
    return (
      <Blank heading={heading} icon="search" title="This is not there">
        {problem.message}
      </Blank>
    );
  return (
    <div role="alert">
      <Blank
        heading={heading}
        icon="warning"
        title={`${what[0]!.toUpperCase()}${what.slice(1)} could not be read`}
        action={
          <Button icon="again" onClick={retry}>
            Try again
          </Button>
        }
      >
        {problem.message}{' '}
        {problem.requestId !== '' && <span className="hint mono request">{problem.requestId}</span>}
      </Blank>
    </div>
  );
}

/**
 * The shape of what comes. It shows after a moment only, so that fast answers do not flicker. Where it stands for a whole
 * page it has that page's heading.
 */
export const Skeleton = ({ rows, heading }: { readonly rows: number; readonly heading?: string }) => (
  <div className="skeleton" role="status" aria-label="Loading">
    {heading !== undefined && <h1 className="vh">{heading}</h1>}
    {Array.from({ length: rows }, (_, row) => (
      <span key={row} className="sk" style={{ width: `${72 - ((row * 17) % 40)}%` }} />
    ))}
  </div>
);
