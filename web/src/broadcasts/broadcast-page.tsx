import { useParams } from '@tanstack/react-router';
import { useAsk, useOrg } from '../call/use-call.ts';
import { Page } from '../frame/frame.tsx';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { BroadcastEditor } from './broadcast-editor.tsx';
import { SettledBroadcast } from './settled-broadcast.tsx';
import { titleOf } from './words.ts';
import './broadcasts.css';
import './broadcast.css';

export function BroadcastPage() {
  const { broadcast: id } = useParams({ from: '/o/$org/broadcasts/$broadcast' });
  const org = useOrg();
  const asked = useAsk('get_broadcast', { broadcast_id: id });
  const broadcast = asked.data?.broadcast;
  return (
    <Page
      crumbs={[['Broadcasts', `/o/${org}/broadcasts`]]}
      title={broadcast === undefined ? 'Broadcast' : titleOf(broadcast)}
    >
      {asked.error !== null && broadcast === undefined ? (
        <Failed problem={asked.error} what="this broadcast" heading="h1" retry={() => void asked.refetch()} />
      ) : broadcast === undefined ? (
        <Skeleton rows={10} heading="Broadcast" />
      ) : broadcast.status === 'draft' ? (
        <BroadcastEditor key={id} first={broadcast} />
      ) : (
        <SettledBroadcast broadcast={broadcast} />
      )}
    </Page>
  );
}
