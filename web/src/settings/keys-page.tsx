import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useAct, useAsk, useOrg } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { ago, day } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { Page } from '../frame/frame.tsx';
import { useMe, useWhyNot } from '../frame/me.ts';
import { Blank, Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { MakeKey } from './make-key.tsx';
import { NewKey } from './new-key.tsx';
import './settings.css';

type Key = Output<'list_api_keys'>['api_keys'][number];
type Made = { readonly name: string; readonly secret: string };

export function KeysPage() {
  const org = useOrg();
  const { make } = useSearch({ from: '/o/$org/settings/keys' });
  const navigate = useNavigate({ from: '/o/$org/settings/keys' });
  const ask = (isAsked: boolean): void => void navigate({ search: { make: isAsked } });
  const [made, setMade] = useState<Made>();
  const asked = useAsk('list_api_keys', {});
  const whyNot = useWhyNot()('create_api_key');
  const { organization } = useMe();
  return (
    <Page crumbs={[['Settings', `/o/${org}/settings`]]} title="API keys">
      <div className="page mid">
        <div className="head">
          <div>
            <h1>API keys</h1>
            <p className="sub">
              A key acts for {organization.name} with the permissions you give it, and no others.
            </p>
          </div>
          <div className="acts">
            <Button kind="primary" unless={whyNot} onClick={() => ask(true)}>
              Make a key
            </Button>
          </div>
        </div>
        {made !== undefined && <NewKey {...made} onDone={() => setMade(undefined)} />}
        {asked.error !== null ? (
          <Failed problem={asked.error} what="keys" retry={() => void asked.refetch()} />
        ) : asked.data === undefined ? (
          <Skeleton rows={5} />
        ) : asked.data.total === 0 ? (
          <Blank icon="key" title="There are no keys yet">
            Your programs need one to call the service.
          </Blank>
        ) : (
          <KeyTable keys={asked.data.api_keys} />
        )}
        <div className="row g4 mt4">
          <CopyAsCall operation="list_api_keys" input={{}} />
        </div>
      </div>
      <MakeKey
        open={make && whyNot === undefined}
        onClose={() => ask(false)}
        onMade={(key) => {
          setMade(key);
          ask(false);
        }}
      />
    </Page>
  );
}

function KeyTable({ keys }: { readonly keys: readonly Key[] }) {
  const { now, zone } = useNow();
  const members = useAsk('list_members', { limit: 200 });
  const makerOf = ({ created_by }: Key): string =>
    created_by === null
      ? ', by whoever runs the service'
      : `, ${members.data?.members.find(({ user_id }) => user_id === created_by)?.email ?? 'somebody who left'}`;
  return (
    <div className="card scrolls">
      <table className="tbl tall">
        <thead>
          <tr>
            <th className="first">Key</th>
            <th>Permissions</th>
            <th>Last used</th>
            <th className="only-wide">Made</th>
            <th className="last">
              <span className="vh">Revoke</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.api_key_id} className={key.state === 'valid' ? undefined : 'over'}>
              <td className="first">
                <div className="medium">{key.name}</div>
                <div className="hint mono">{key.prefix}…</div>
              </td>
              <td>
                <div className="row wrap g1 tags">
                  {key.permissions.map((permission) => (
                    <span key={permission} className="tag mono">
                      {permission}
                    </span>
                  ))}
                </div>
              </td>
              <td className="muted">
                {key.last_used_at === null ? 'Never' : ago(new Date(key.last_used_at), zone, now)}
              </td>
              <td className="muted only-wide">
                {day(new Date(key.created_at), zone, now)}
                {makerOf(key)}
              </td>
              <td className="last num">{key.state === 'valid' ? <Revoke apiKey={key} /> : key.state}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Programs stop at once and it cannot be undone, so it is asked before. */
function Revoke({ apiKey }: { readonly apiKey: Key }) {
  const [isAsked, setAsked] = useState(false);
  const revoke = useAct('revoke_api_key', ['list_api_keys']);
  const whyNot = useWhyNot()('revoke_api_key');
  return (
    <>
      <Button
        kind="danger-ghost"
        size="s"
        unless={whyNot}
        onClick={() => setAsked(true)}
        aria-label={`Revoke ${apiKey.name}`}
      >
        Revoke
      </Button>
      <Dialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Revoke “${apiKey.name}”?`}
        footer={
          <span className="row end">
            <Button kind="ghost" onClick={() => setAsked(false)}>
              Keep it
            </Button>
            <Button
              kind="danger"
              busy={revoke.isPending && 'Revoking'}
              onClick={() =>
                revoke.mutate({ api_key_id: apiKey.api_key_id }, { onSuccess: () => setAsked(false) })
              }
            >
              Revoke
            </Button>
          </span>
        }
      >
        <p className="muted">
          Whatever uses it is refused a second later. It cannot be undone; a new key has a new secret.
        </p>
        {revoke.error !== null && (
          <p className="err mt3" role="alert">
            {revoke.error.message}
          </p>
        )}
      </Dialog>
    </>
  );
}
