import { Link } from '@tanstack/react-router';
import { useOrg } from '../call/use-call.ts';
import { Icon } from '../ui/icon.tsx';
import type { Step } from './search.ts';

const all = ['file', 'map', 'check', 'preview', 'import'] as const;
const labels = { file: 'File', map: 'Map', check: 'Check', preview: 'Preview', import: 'Import' } as const;

interface StepperProps {
  readonly now: (typeof all)[number];
  /** The draft whose former steps can be gone back to. */
  readonly draft?: string;
}

export function Stepper({ now, draft }: StepperProps) {
  const org = useOrg();
  const at = all.indexOf(now);
  return (
    <ol className="steps" aria-label="Steps">
      {all.map((step, place) => {
        const isDone = place < at;
        const mark = <b>{isDone ? <Icon name="tick" /> : place + 1}</b>;
        return (
          <li
            key={step}
            className={isDone ? 'done' : place === at ? 'now' : undefined}
            aria-current={place === at ? 'step' : undefined}
          >
            {isDone && draft !== undefined && step !== 'file' ? (
              <Link
                className="row"
                to="/o/$org/imports/$import"
                params={{ org, import: draft }}
                search={{ step: step as Step }}
              >
                {mark}
                <span className="lbl">{labels[step]}</span>
              </Link>
            ) : (
              <>
                {mark}
                <span className="lbl">{labels[step]}</span>
              </>
            )}
            {isDone && <span className="vh">, done</span>}
          </li>
        );
      })}
    </ol>
  );
}
