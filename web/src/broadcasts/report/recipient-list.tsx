import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useAsk, useOrg } from '../../call/use-call.ts';
import type { Input, Output } from '../../call/types.ts';
import { cityOf, moment } from '../../format/time.ts';
import { useNow } from '../../frame/clock.tsx';
import { nameOf } from '../../people/name.ts';
import { Failed, Skeleton } from '../../ui/blank.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Broadcast } from '../state-pill.tsx';
import type { ReportSearch } from '../search.ts';
import { capital, reasonWords } from '../words.ts';
import { Explained } from './explained.tsx';
import { ListActions } from './list-actions.tsx';
import { isSame, isWithReason, lists, sayFilters } from './lists.ts';
import { outcomeWords } from './outcomes.tsx';

const pageSize = 20;
type Asked = Input<'list_broadcast_recipients'>;
type Recipient = Output<'list_broadcast_recipients'>['recipients'][number];

/** Who they are, by what became of them. */
export function RecipientList({ broadcast }: { readonly broadcast: Broadcast }) {
  const search = useSearch({ from: '/o/$org/broadcasts/$broadcast/report' });
  const navigate = useNavigate({ from: '/o/$org/broadcasts/$broadcast/report' });
  const { person: opened, ...filters } = search;
  return (
    <section className="card" id="recipients" aria-label="People">
      <header>
        <h2>People</h2>
        <span className="end pick">
          <Select
            size="s"
            aria-label="Which people"
            value={String(lists.findIndex(([, one]) => isSame(one, filters)))}
            onChange={({ target: { value } }) =>
              void navigate({
                search: lists[Number(value)]?.[1] ?? {},
                hash: 'recipients',
                resetScroll: false,
              })
            }
            choices={[
              ...(lists.some(([, one]) => isSame(one, filters))
                ? []
                : [['-1', sayFilters(filters, broadcast)] as const]),
              ...lists.map(([label], place) => [String(place), label] as const),
            ]}
          />
        </span>
      </header>
      <Rows
        key={JSON.stringify(filters)}
        broadcast={broadcast}
        filters={filters as Omit<Asked, 'broadcast_id'>}
        opened={opened}
      />
      <ListActions broadcast={broadcast} filters={filters} />
    </section>
  );
}

interface RowsProps {
  readonly broadcast: Broadcast;
  readonly filters: Omit<Asked, 'broadcast_id'>;
  readonly opened: string | undefined;
}

/** Pages by cursor: the way back is the cursors that were passed. */
function Rows({ broadcast, filters, opened }: RowsProps) {
  const [passed, setPassed] = useState<readonly string[]>([]);
  const cursor = passed.at(-1);
  const asked = useAsk(
    'list_broadcast_recipients',
    { broadcast_id: broadcast.id, ...filters, limit: pageSize, ...(cursor !== undefined && { cursor }) },
    { keepsFormer: true },
  );
  const { now, zone } = useNow();
  if (asked.error !== null)
    return <Failed problem={asked.error} what="people" retry={() => void asked.refetch()} />;
  if (asked.data === undefined) return <Skeleton rows={5} />;
  const { recipients, next_cursor } = asked.data;
  if (recipients.length === 0) return <p className="body muted">Nobody.</p>;
  return (
    <>
      <ul className={asked.isPlaceholderData ? 'list dim' : 'list'}>
        {recipients.map((recipient, place) => (
          // Deleted people have no id, and there may be several.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={recipient.person_id ?? place} className="top">
            <span className="grow col g1">
              <Who recipient={recipient} broadcast={broadcast} isOpen={recipient.person_id === opened} />
              <span className="hint">{sayRecipient(recipient, broadcast, zone, now)}</span>
              {recipient.person_id !== null && recipient.person_id === opened && (
                <Explained broadcast={broadcast.id} person={recipient.person_id} />
              )}
            </span>
            <span className={`pill ${recipient.outcome === 'skipped' ? '' : recipient.outcome}`}>
              {outcomeWords[recipient.outcome][0]}
            </span>
          </li>
        ))}
      </ul>
      {(passed.length > 0 || next_cursor !== null) && (
        <nav className="pager" aria-label="Pages of people">
          <span className="hint">times in {cityOf(zone)}</span>
          <span className="end row">
            <Button
              size="s"
              icon="left"
              aria-label="Previous page"
              unless={passed.length === 0 && 'This is the first page.'}
              onClick={() => setPassed(passed.slice(0, -1))}
            />
            <Button
              size="s"
              icon="right"
              aria-label="Next page"
              unless={next_cursor === null && 'This is the last page.'}
              onClick={() => next_cursor !== null && setPassed([...passed, next_cursor])}
            />
          </span>
        </nav>
      )}
    </>
  );
}

interface WhoProps {
  readonly recipient: Recipient;
  readonly broadcast: Broadcast;
  readonly isOpen: boolean;
}

/** A name that opens what happened, step by step. */
function Who({ recipient: { person_id, person }, broadcast, isOpen }: WhoProps) {
  const org = useOrg();
  if (person_id === null) return <span className="muted">Deleted or merged since</span>;
  return (
    <span className="row wrap">
      <Link
        className="medium"
        from="/o/$org/broadcasts/$broadcast/report"
        to="/o/$org/broadcasts/$broadcast/report"
        params={{ org, broadcast: broadcast.id }}
        search={({ person: _person, ...rest }: ReportSearch) =>
          isOpen ? rest : { ...rest, person: person_id }
        }
        resetScroll={false}
        aria-expanded={isOpen}
      >
        {person === null ? <span className="mono">{person_id}</span> : nameOf(person)}{' '}
        <Icon name={isOpen ? 'up' : 'down'} small />
      </Link>
      <Link
        className="link"
        to="/o/$org/people/$person"
        params={{ org, person: person_id }}
        aria-label={`Profile of ${person === null ? person_id : nameOf(person)}`}
      >
        Profile
      </Link>
    </span>
  );
}

function sayRecipient(one: Recipient, { channel }: Broadcast, zone: string, now: Date): string {
  const at = (what: string, when: string | null): readonly string[] =>
    when === null ? [] : [`${what} ${moment(new Date(when), zone, now)}`];
  const told = [
    ...at('sent', one.sent_at),
    ...at('delivered', one.delivered_at),
    ...at('opened', one.opened_at),
    ...at('clicked', one.clicked_at),
    ...at('replied', one.replied_at),
    ...at('bounced', one.bounced_at),
    ...at('reported as spam', one.complained_at),
    ...at('unsubscribed', one.unsubscribed_at),
    ...(one.reason !== null && isWithReason(one.outcome)
      ? [reasonWords(one.outcome, one.reason, channel)]
      : []),
  ];
  return capital(told.length > 0 ? told.join(', ') : at('due', one.due_at).join(''));
}
