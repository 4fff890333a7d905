import platforms from 'virtual:platforms';
import { useState } from 'react';
import { useAct } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { cityOf, day, moment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { useWhyNot } from '../frame/me.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { ConnectPlatform } from './connect-platform.tsx';

type PlatformConnection = Output<'list_platform_connections'>['platform_connections'][number];

export function PlatformCard({ connection }: { readonly connection: PlatformConnection }) {
  const { now, zone } = useNow();
  const [isConnecting, setConnecting] = useState(false);
  const whyNot = useWhyNot();
  const remove = useAct('delete_platform_connection', ['list_platform_connections']);
  const label = platforms.find(({ name }) => name === connection.platform)?.label ?? connection.platform;
  const { trouble, trouble_at, webhook_url } = connection;
  return (
    <section className="card mt4" aria-label={`${label} ${connection.account_id}`}>
      <header className="address">
        <h2>{label}</h2>
        {trouble === null ? (
          <span className="pill ready">
            <Icon name="tick" />
            Connected
          </span>
        ) : (
          <span className="pill error">
            <Icon name="bad" />
            Turned away
          </span>
        )}
        <span className="end row">
          <Button size="s" unless={whyNot('connect_platform')} onClick={() => setConnecting(true)}>
            Connect again
          </Button>
          <AskFirst
            verb="Disconnect"
            busy="Disconnecting"
            what={`${label} ${connection.account_id}`}
            keep="Keep it"
            whyNot={whyNot('delete_platform_connection')}
            act={remove}
            input={{ connection_id: connection.id }}
          >
            Its secrets are forgotten. Connecting it again takes them anew.
          </AskFirst>
        </span>
      </header>
      <div className="body col g4">
        {trouble !== null && (
          <p className="note bad">
            <Icon name="bad" />
            <span>
              {trouble}
              {trouble_at !== null && ` Last on ${moment(new Date(trouble_at), zone, now)} ${cityOf(zone)}.`}
            </span>
          </p>
        )}
        <dl className="kv">
          <dt>Account</dt>
          <dd className="mono">{connection.account_id}</dd>
          <dt>Secrets</dt>
          <dd>kept sealed, never shown again</dd>
          {webhook_url !== null && (
            <>
              <dt>Its events go to</dt>
              <dd className="row">
                <code className="code ellipsis">{webhook_url}</code>
                <CopyButton text={webhook_url} what="the address for events" />
              </dd>
            </>
          )}
          <dt>Connected</dt>
          <dd>{day(new Date(connection.updated_at), zone, now)}</dd>
        </dl>
      </div>
      <ConnectPlatform
        key={String(isConnecting)}
        open={isConnecting}
        again={{ platform: connection.platform, account_id: connection.account_id }}
        onClose={() => setConnecting(false)}
      />
    </section>
  );
}
