import type { ErrorComponentProps } from '@tanstack/react-router';
import { Problem } from '../call/problem.ts';
import { Blank } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';

export const NotFound = () => (
  <main className="main alone">
    <title>Not found · Rostrum</title>
    <Blank
      heading="h1"
      icon="search"
      title="There is no such page"
      action={
        <a className="btn secondary" href="/o">
          To your organizations
        </a>
      }
    >
      The address may be mistyped, or what it showed is gone.
    </Blank>
  </main>
);

export const Broke = ({ error, reset }: ErrorComponentProps) => (
  <main className="main alone" role="alert">
    <Blank
      heading="h1"
      icon="warning"
      title="This page broke"
      action={
        <Button icon="again" onClick={reset}>
          Try again
        </Button>
      }
    >
      Nothing was changed by it.{' '}
      {error instanceof Problem && <span className="hint mono request">{error.requestId}</span>}
    </Blank>
  </main>
);
