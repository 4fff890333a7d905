import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOrg } from '../../call/use-call.ts';
import { count, people } from '../../format/number.ts';
import { useWhyNot } from '../../frame/me.ts';
import { Button } from '../../ui/button.tsx';
import type { Broadcast } from '../state-pill.tsx';
import type { Stats } from './outcomes.tsx';
import { ResendDialog } from './resend-dialog.tsx';

interface UncertainProps {
  readonly broadcast: Broadcast;
  readonly stats: Stats;
}

/** What uncertain means, who it is, and the way to send to them again. */
export function Uncertain({ broadcast, stats }: UncertainProps) {
  const org = useOrg();
  const [isAsked, setAsked] = useState(false);
  const whyNot = useWhyNot()('resend_uncertain');
  const { uncertain, failed } = stats.outcomes;
  if (uncertain + failed === 0) return null;
  const isOver = broadcast.timing.finished_at !== null;
  return (
    <section className="card" aria-label="Who is uncertain">
      <header>
        <h2>
          {uncertain === 0
            ? `${people(failed)} could not be sent to`
            : `${people(uncertain)} may have it or not`}
        </h2>
      </header>
      <div className="body col g3">
        {uncertain > 0 && (
          <p className="muted">
            Something broke just while their message was handed over, and no answer tells whether it arrived.
            Nobody is tried twice by itself. You may have it sent to them again: whoever has it already then
            gets it a second time.
          </p>
        )}
        {failed > 0 && (
          <p className="muted">
            {count(failed)} failed. Where it was not for their address, it can be tried again.
          </p>
        )}
        <div className="row g4 wrap">
          <Button
            icon="broadcast"
            unless={whyNot ?? (!isOver && 'It is still being sent.')}
            onClick={() => setAsked(true)}
          >
            Send again…
          </Button>
          {uncertain > 0 && (
            <Link
              className="link"
              to="/o/$org/broadcasts/$broadcast/report"
              params={{ org, broadcast: broadcast.id }}
              search={{ outcome: 'uncertain' }}
              hash="recipients"
            >
              Who is uncertain
            </Link>
          )}
        </div>
      </div>
      {isAsked && (
        <ResendDialog broadcast={broadcast} hasFailed={failed > 0} onClose={() => setAsked(false)} />
      )}
    </section>
  );
}
