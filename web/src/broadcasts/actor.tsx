import { useAsk } from '../call/use-call.ts';
import { useWhyNot } from '../frame/me.ts';
import type { Listed } from './state-pill.tsx';

type Who = NonNullable<Listed['planned_by']>;

/** Who did something, as people call them: a member by the address, a key as a key. */
export function Actor({ who }: { readonly who: Who | null }) {
  const mayAsk = useWhyNot()('list_members') === undefined;
  const asked = useAsk('list_members', {}, { enabled: mayAsk && who?.kind === 'user' });
  if (who === null) return '—';
  if (who.kind === 'api_key') return 'an API key';
  if (who.kind === 'service') return 'the service';
  return asked.data?.members.find(({ user_id }) => user_id === who.id)?.email ?? 'a member';
}
