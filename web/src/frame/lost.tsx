import type { ErrorComponentProps } from '@tanstack/react-router';
import { lastRequestId } from '../call/call.ts';
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

/** What broke, with the id of the last request: by that whoever runs the service finds what was asked and answered. */
export function Broke({ error, reset }: ErrorComponentProps) {
  const id = error instanceof Problem && error.requestId !== '' ? error.requestId : lastRequestId();
  return (
    <main className="main alone">
      <title>This page broke · Rostrum</title>
      <div role="alert">
        <Blank
          heading="h1"
          icon="warning"
          title="This page broke"
          action={
            <span className="row">
              <Button icon="again" onClick={reset}>
                Try again
              </Button>
              <a className="btn ghost" href="/o">
                To your organizations
              </a>
            </span>
          }
        >
          Nothing was changed by it. If it breaks again, tell whoever runs Rostrum here
          {id === undefined ? '.' : ' this id: '}
          {id !== undefined && <span className="hint mono request">{id}</span>}
        </Blank>
      </div>
    </main>
  );
}
