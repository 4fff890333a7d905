import type { UseQueryResult } from '@tanstack/react-query';
import type { Problem } from '../call/problem.ts';
import type { Output } from '../call/types.ts';
import { count } from '../format/number.ts';
import { Skeleton } from '../ui/blank.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Checks } from './checks.tsx';
import { Preview } from './preview.tsx';
import type { Draft } from './use-draft.ts';
import { reasonWords } from './words.ts';

interface BroadcastRailProps {
  readonly draft: Draft;
  readonly plan: UseQueryResult<Output<'plan_broadcast'>, Problem>;
  readonly at: string | undefined;
}

/** What would become of it now. Planning writes nothing, so it is asked after every change. */
export function BroadcastRail({ draft, plan, at }: BroadcastRailProps) {
  const { id } = draft.saved;
  return (
    <aside className="rail" aria-label="What would become of it">
      {plan.error !== null ? (
        <p className="note bad" role="alert">
          {plan.error.message}
        </p>
      ) : plan.data === undefined ? (
        <Skeleton rows={4} />
      ) : (
        <>
          <Reach plan={plan.data} isOld={plan.isFetching || draft.state !== 'saved'} />
          <section>
            <div className="row">
              <h2 className="h2">Checks</h2>
              <span className="hint end">as you write</span>
            </div>
            <Checks id={id} at={at} checks={plan.data.checks} />
          </section>
        </>
      )}
      <Preview broadcast={draft.saved} />
      <div className="row g4 wrap">
        <CopyAsCall
          operation="plan_broadcast"
          input={{ broadcast_id: id, ...(at !== undefined && { send_at: at }) }}
        />
      </div>
    </aside>
  );
}

function Reach({ plan, isOld }: { readonly plan: Output<'plan_broadcast'>; readonly isOld: boolean }) {
  const { recipients, reachable, excluded } = plan.audience;
  return (
    <section aria-live="polite" className={isOld ? 'dim' : undefined}>
      <div className="fig xl">{count(reachable)}</div>
      <p className="muted">of {count(recipients)} people would get it now</p>
      <div className="bar mt2" aria-hidden="true">
        <i className="b-accent" style={{ flexGrow: reachable }} />
        {recipients > reachable && <i className="b-skipped" style={{ flexGrow: recipients - reachable }} />}
      </div>
      {recipients > reachable && (
        <p className="hint mt2">
          {count(recipients - reachable)} left out:{' '}
          {excluded
            .map((one) => `${count(one.count)} because ${reasonWords('skipped', one.reason, plan.channel)}`)
            .join(', ')}
          .
        </p>
      )}
    </section>
  );
}
