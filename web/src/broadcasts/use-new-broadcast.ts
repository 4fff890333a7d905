import { useNavigate } from '@tanstack/react-router';
import { useAct, useOrg } from '../call/use-call.ts';

/** It is made at once, for everyone: what is written is kept from the first letter on. */
export function useNewBroadcast() {
  const org = useOrg();
  const navigate = useNavigate();
  const make = useAct('create_broadcast', ['list_broadcasts']);
  const begin = async (): Promise<void> => {
    if (make.isPending) return;
    const { broadcast } = await make.mutateAsync({ audience: 'everyone' });
    await navigate({ to: '/o/$org/broadcasts/$broadcast', params: { org, broadcast: broadcast.id } });
  };
  return { begin, error: make.error, isBusy: make.isPending };
}
