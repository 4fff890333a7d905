import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useAsk, useOrg } from '../call/use-call.ts';
import { cityOf, clockTime } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { Conflict } from '../ui/conflict.tsx';
import { Icon } from '../ui/icon.tsx';
import { AudienceBlock } from './audience-block.tsx';
import { BroadcastRail } from './broadcast-rail.tsx';
import { ContentBlock } from './content-block.tsx';
import { DeleteBroadcast } from './delete-broadcast.tsx';
import { SendTest } from './send-test.tsx';
import { SenderBlock } from './sender-block.tsx';
import { StatePill, type Broadcast } from './state-pill.tsx';
import { TimeBlock } from './time-block.tsx';
import { useDraft, type Draft } from './use-draft.ts';
import { titleOf } from './words.ts';

/** Everything about a broadcast on one page; beside it, what would become of it now. */
export function BroadcastEditor({ first }: { readonly first: Broadcast }) {
  const draft = useDraft(first);
  const { at } = useSearch({ from: '/o/$org/broadcasts/$broadcast' });
  const whyNot = useWhyNot()('update_broadcast');
  const plan = useAsk(
    'plan_broadcast',
    { broadcast_id: first.id, ...(at !== undefined && { send_at: at }) },
    { keepsFormer: true },
  );
  const goToPlan = useGoToPlan(draft, at);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!(event.metaKey || event.ctrlKey)) return;
      if (event.key === 's') void draft.saveNow();
      else if (event.key === 'Enter') goToPlan();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  });
  const [isTesting, setTesting] = useState(false);
  return (
    <div className="split ed">
      <div className="doc">
        <div className="ehead">
          <div className="grow">
            <h1 className="ttl ellipsis">{draft.fields.subject || titleOf(draft.saved)}</h1>
            <p className="row wrap mt1">
              <StatePill status="draft" />
              <Saving draft={draft} />
            </p>
          </div>
          <div className="row only-wide">
            <Button
              kind="ghost"
              icon="mail"
              unless={useWhyNot()('test_broadcast')}
              onClick={() => setTesting(true)}
            >
              Send test
            </Button>
            <DeleteBroadcast broadcast={draft.saved} />
            <Button kind="primary" onClick={goToPlan}>
              Plan and schedule<span className="kbd">⌘↵</span>
            </Button>
          </div>
        </div>
        {draft.state === 'conflict' && <Conflict thing="broadcast" onOverwrite={draft.overwrite} />}
        {whyNot !== undefined && (
          <p className="note">
            <Icon name="lock" />
            <span>{whyNot} You can read it and try it out.</span>
          </p>
        )}
        <fieldset className="bare" disabled={whyNot !== undefined}>
          <AudienceBlock draft={draft} recipients={plan.data?.audience.recipients} />
          {draft.saved.channel === 'email' && <SenderBlock draft={draft} />}
          <TimeBlock draft={draft} at={at} delivery={plan.data?.delivery} />
        </fieldset>
        <ContentBlock draft={draft} plan={plan.data} isLocked={whyNot !== undefined} />
      </div>
      <BroadcastRail draft={draft} plan={plan} at={at} />
      <div className="mbar only-phone">
        <Button
          icon="mail"
          aria-label="Send test"
          unless={useWhyNot()('test_broadcast')}
          onClick={() => setTesting(true)}
        />
        <Button kind="primary" onClick={goToPlan}>
          Plan and schedule
        </Button>
      </div>
      <SendTest draft={draft} open={isTesting} onClose={() => setTesting(false)} />
    </div>
  );
}

/** What waits is saved first: a plan is of what is saved. */
function useGoToPlan(draft: Draft, at: string | undefined): () => void {
  const org = useOrg();
  const navigate = useNavigate();
  return () =>
    void draft.saveNow().then((isSaved) => {
      if (!isSaved) return undefined;
      return navigate({
        to: '/o/$org/broadcasts/$broadcast/plan',
        params: { org, broadcast: draft.saved.id },
        search: at === undefined ? {} : { at },
      });
    });
}

function Saving({ draft: { state, problem, savedAt, saved } }: { readonly draft: Draft }) {
  const { zone } = useNow();
  if (state === 'refused')
    return (
      <span className="err" role="alert">
        <Icon name="bad" small />
        <span>Not saved. {problem?.message}</span>
      </span>
    );
  return (
    <span className="hint" role="status">
      {state === 'saved'
        ? `Saved ${clockTime(savedAt, zone)} ${cityOf(zone)} · revision ${saved.revision}`
        : state === 'conflict'
          ? 'Not saved'
          : 'Saving'}
    </span>
  );
}
