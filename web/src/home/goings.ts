import type { Output } from '../call/types.ts';
import { useAsk } from '../call/use-call.ts';

export type Broadcast = Output<'list_broadcasts'>['broadcasts'][number];

const often = { everyMs: 30_000 };

/** What goes out and what is on, asked once for every card of the page. */
export function useGoings() {
  const sending = useAsk('list_broadcasts', { status: 'sending', limit: 20 }, { everyMs: 5_000 });
  const scheduled = useAsk('list_broadcasts', { status: 'scheduled', limit: 200 }, often);
  const webinars = useAsk(
    'list_webinars',
    { status: 'scheduled', phase: 'upcoming', order: 'asc', limit: 100 },
    often,
  );
  const waiting = (scheduled.data?.broadcasts ?? []).toSorted(
    (one, other) => Date.parse(one.timing.send_at ?? '') - Date.parse(other.timing.send_at ?? ''),
  );
  return {
    problem: sending.error ?? scheduled.error ?? webinars.error,
    retry: (): void => {
      for (const asked of [sending, scheduled, webinars]) void asked.refetch();
    },
    isKnown: sending.data !== undefined && scheduled.data !== undefined && webinars.data !== undefined,
    sending: sending.data?.broadcasts ?? [],
    scheduled: waiting.filter(({ held }) => held === null),
    /** Their time came, and they wait for somebody's decision. */
    held: waiting.filter(({ held }) => held !== null),
    webinars: webinars.data?.webinars ?? [],
  };
}

export type Goings = ReturnType<typeof useGoings>;
