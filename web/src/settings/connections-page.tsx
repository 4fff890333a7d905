import { useState } from 'react';
import { useAsk, useOrg } from '../call/use-call.ts';
import { Page } from '../frame/frame.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { LockNote } from '../frame/lock-note.tsx';
import { ConnectPlatform } from './connect-platform.tsx';
import { PlatformCard } from './platform-card.tsx';
import { ToolsCard } from './tools-card.tsx';
import './senders.css';
import './settings.css';

export function ConnectionsPage() {
  const org = useOrg();
  const tools = useAsk('list_connections', { limit: 200 });
  const platforms = useAsk('list_platform_connections', {});
  const [isConnecting, setConnecting] = useState(false);
  const whyNot = useWhyNot()('connect_platform');
  return (
    <Page crumbs={[['Settings', `/o/${org}/settings`]]} title="Connections">
      <div className="page mid">
        <div className="head">
          <div>
            <h1>Connections</h1>
            <p className="sub">
              Tools that act for somebody here, and webinar platforms that data comes from.
            </p>
          </div>
          <div className="acts">
            <Button kind="primary" unless={whyNot} onClick={() => setConnecting(true)}>
              Connect a platform
            </Button>
          </div>
        </div>
        <LockNote operation="connect_platform" />
        {tools.error !== null ? (
          <Failed problem={tools.error} what="tools" retry={() => void tools.refetch()} />
        ) : tools.data === undefined ? (
          <Skeleton rows={4} />
        ) : (
          <ToolsCard connections={tools.data.connections} />
        )}
        {platforms.error !== null ? (
          <Failed problem={platforms.error} what="platforms" retry={() => void platforms.refetch()} />
        ) : platforms.data?.platform_connections.length === 0 ? (
          <section className="card mt4">
            <header>
              <h2>Webinar platforms</h2>
            </header>
            <p className="body muted">
              No platform is connected. With one, registrants are passed on and attendance comes back by
              itself.
            </p>
          </section>
        ) : (
          platforms.data?.platform_connections.map((connection) => (
            <PlatformCard key={connection.id} connection={connection} />
          ))
        )}
        <div className="row g4 mt4 wrap">
          <CopyAsCall operation="list_platform_connections" input={{}} />
        </div>
      </div>
      <ConnectPlatform key={String(isConnecting)} open={isConnecting} onClose={() => setConnecting(false)} />
    </Page>
  );
}
