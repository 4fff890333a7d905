import { useState } from 'react';
import { useAsk, useOrg } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { cityOf, moment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Page } from '../frame/frame.tsx';
import { Blank, Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Field, Input } from '../ui/field.tsx';
import './settings.css';

type Entry = Output<'list_audit_log'>['entries'][number];

export function AuditPage() {
  const org = useOrg();
  const [operation, setOperation] = useState('');
  const [object, setObject] = useState('');
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const narrow = (set: (word: string) => void, typed: string): void => {
    set(typed.trim());
    setCursors([]);
  };
  const filters = {
    ...(operation !== '' && { operation }),
    ...(object !== '' && { object_id: object }),
  };
  const cursor = cursors.at(-1);
  const asked = useAsk(
    'list_audit_log',
    { ...filters, ...(cursor !== undefined && { cursor }) },
    { keepsFormer: true },
  );
  const { zone } = useNow();
  const next = asked.data?.next_cursor ?? undefined;
  return (
    <Page crumbs={[['Settings', `/o/${org}/settings`]]} title="Audit">
      <div className="page mid">
        <div className="head">
          <div>
            <h1>Audit</h1>
            <p className="sub">Who changed what, the newest first. Times in {cityOf(zone)}.</p>
          </div>
        </div>
        <div className="row g4 top narrow">
          <Field label="Operation" hint="Such as delete_person.">
            {(ids) => (
              <Input
                {...ids}
                value={operation}
                onChange={(event) => narrow(setOperation, event.target.value)}
              />
            )}
          </Field>
          <Field label="Id" hint="Of a person, a broadcast, a key.">
            {(ids) => (
              <Input {...ids} value={object} onChange={(event) => narrow(setObject, event.target.value)} />
            )}
          </Field>
        </div>
        {asked.error !== null ? (
          <Failed problem={asked.error} what="the audit log" retry={() => void asked.refetch()} />
        ) : asked.data === undefined ? (
          <Skeleton rows={8} />
        ) : asked.data.entries.length === 0 && next === undefined ? (
          <Blank icon="search" title="Nothing is recorded">
            Nothing that matches was changed here.
          </Blank>
        ) : (
          <Entries entries={asked.data.entries} />
        )}
        <div className="row g2 mt4">
          <Button
            size="s"
            icon="left"
            unless={cursors.length === 0 && 'This is the newest page.'}
            onClick={() => setCursors(cursors.slice(0, -1))}
          >
            Newer
          </Button>
          <Button
            size="s"
            unless={next === undefined && 'There is nothing older.'}
            onClick={() => next !== undefined && setCursors([...cursors, next])}
          >
            Older
          </Button>
          <span className="end row g4">
            <CopyAsCall operation="list_audit_log" input={filters} />
          </span>
        </div>
      </div>
    </Page>
  );
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  const { now, zone } = useNow();
  const members = useAsk('list_members', { limit: 200 });
  const keys = useAsk('list_api_keys', { limit: 200 });
  const nameOf = ({ actor: { kind, id }, connection_id }: Entry): string => {
    if (kind === 'service') return `the service (${id})`;
    if (kind === 'api_key') return keys.data?.api_keys.find((key) => key.api_key_id === id)?.name ?? 'a key';
    const email = members.data?.members.find((member) => member.user_id === id)?.email ?? 'somebody who left';
    return connection_id === null ? email : `${email}, by an assistant`;
  };
  return (
    <div className="card scrolls mt4" role="region" aria-label="Entries" tabIndex={0}>
      <table className="tbl">
        <thead>
          <tr>
            <th className="first">When</th>
            <th>Operation</th>
            <th>Who</th>
            <th className="last">What</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.entry_id}>
              <td className="first nowrap muted">{moment(new Date(entry.at), zone, now)}</td>
              <td>
                <span className="tag mono">{entry.operation}</span>
              </td>
              <td className="ellipsis">{nameOf(entry)}</td>
              <td className="last hint mono ellipsis ids">
                {Object.entries(entry.ids)
                  .map(([name, id]) => `${name} ${Array.isArray(id) ? id.length : id}`)
                  .join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
