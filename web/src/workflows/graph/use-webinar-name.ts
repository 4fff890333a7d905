import { useAsk } from '../../call/use-call.ts';
import type { Graph } from './graph.ts';

/** The title of the webinar that a graph's trigger names. */
export function useWebinarName({ trigger }: Graph): string | undefined {
  const id = trigger.type === 'webinar_registration' ? (trigger.webinar_id ?? null) : null;
  const { data } = useAsk('get_webinar', { webinar_id: id ?? '' }, { enabled: id !== null });
  return id === null ? undefined : data?.webinar.title;
}
