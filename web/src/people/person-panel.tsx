import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAsk, useOrg } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { count } from '../format/number.ts';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { initialsOf, nameOf } from './name.ts';
import { Identifiers } from './identifiers.tsx';
import { Overview } from './overview.tsx';
import { Properties } from './properties.tsx';
import { Sends } from './sends.tsx';
import { SegmentTags } from './segment-tags.tsx';
import { Timeline } from './timeline.tsx';

type Summary = Output<'list_people'>['people'][number];

interface PersonPanelProps {
  readonly id: string;
  /** What the row of the table knows already. */
  readonly summary: Summary | undefined;
  /** Which of how many it is, counted from 0. */
  readonly where: { readonly place: number; readonly total: number } | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Opens another person, or none. */
  readonly onOpen: (id: string | undefined) => void;
}

/** A person beside the table. */
export function PersonPanel({ id, summary, where, before, after, onOpen }: PersonPanelProps) {
  const org = useOrg();
  return (
    <aside className="panel" aria-label={summary === undefined ? 'Person' : nameOf(summary)}>
      <div className="phd row">
        {where !== undefined && (
          <>
            <span className="hint">
              {count(where.place + 1)} of {count(where.total)}
            </span>
            <Button
              kind="ghost"
              size="s"
              icon="up"
              aria-label="Previous person"
              unless={before === undefined && 'This is the first on the page.'}
              onClick={() => onOpen(before)}
            />
            <Button
              kind="ghost"
              size="s"
              icon="down"
              aria-label="Next person"
              unless={after === undefined && 'This is the last on the page.'}
              onClick={() => onOpen(after)}
            />
          </>
        )}
        <Link className="btn ghost s end" to="/o/$org/people/$person" params={{ org, person: id }}>
          <Icon name="open" />
          Open page
        </Link>
        <Button kind="ghost" size="s" icon="close" aria-label="Close" onClick={() => onOpen(undefined)} />
      </div>
      <Person id={id} summary={summary} />
    </aside>
  );
}

const tabs = ['Overview', 'Timeline', 'Identifiers', 'Properties', 'Sends'] as const;

interface PersonProps {
  readonly id: string;
  readonly summary?: Summary | undefined;
  /** Where it is the page itself, its name is the page's heading. */
  readonly heading?: 'h1' | 'h2';
}

export function Person({ id, summary, heading: Heading = 'h2' }: PersonProps) {
  const asked = useAsk('get_person', { person_id: id });
  const [tab, setTab] = useState<(typeof tabs)[number]>('Overview');
  if (asked.error !== null)
    return (
      <Failed problem={asked.error} what="this person" heading={Heading} retry={() => void asked.refetch()} />
    );
  const known = asked.data?.person ?? summary;
  if (known === undefined)
    return (
      <>
        <Heading className="vh">Person</Heading>
        <Skeleton rows={8} />
      </>
    );
  return (
    <>
      <div className="phd row g3">
        <span className="avatar l" aria-hidden="true">
          {initialsOf(known)}
        </span>
        <div className="grow">
          <Heading className="ellipsis">{nameOf(known)}</Heading>
          <p className="muted ellipsis">{known.primary_email ?? known.primary_phone ?? 'no address'}</p>
        </div>
      </div>
      <SegmentTags id={id} />
      <div className="tabs pt" role="tablist" aria-label="About this person">
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === tab}
            aria-controls="person-tab"
            onClick={() => setTab(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="person-tab" aria-labelledby={`tab-${tab}`}>
        {asked.data === undefined ? (
          <Skeleton rows={6} />
        ) : tab === 'Overview' ? (
          <Overview person={asked.data.person} />
        ) : tab === 'Timeline' ? (
          <Timeline id={id} />
        ) : tab === 'Identifiers' ? (
          <Identifiers id={id} />
        ) : tab === 'Properties' ? (
          <Properties person={asked.data.person} />
        ) : (
          <Sends id={id} />
        )}
      </div>
      <footer className="pf">
        <CopyAsCall operation="get_person" input={{ person_id: id }} />
        <span className="hint mono end ellipsis">{id}</span>
      </footer>
    </>
  );
}
