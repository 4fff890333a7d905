import { titleOf } from '../broadcasts/words.ts';
import { useAsk, useOrg } from '../call/use-call.ts';
import { count, people } from '../format/number.ts';
import type { Goings } from './goings.ts';

interface Concern {
  readonly key: string;
  readonly title: string;
  readonly told: string;
  readonly to: string;
  readonly verb: string;
}

export interface Concerns {
  readonly problem: Error | null;
  /** Undefined until all of it is known. */
  readonly found: readonly Concern[] | undefined;
}

/** What stops something from going out, or stopped it. Held broadcasts come first: their time is now. */
export function useConcerns(held: Goings['held']): Concerns {
  const org = useOrg();
  const domains = useAsk('list_sending_domains', { limit: 50 });
  const failed = useAsk('list_broadcasts', { status: 'error', limit: 5 });
  const problem = domains.error ?? failed.error;
  const found: Concern[] = [
    ...held.map((broadcast) => ({
      key: broadcast.id,
      title: `“${titleOf(broadcast)}” is held`,
      told: `Planned for ${people(broadcast.held?.planned ?? 0)}; ${count(broadcast.held?.counted ?? 0)} were there when it should have begun`,
      to: `/o/${org}/broadcasts/${broadcast.id}`,
      verb: 'Decide',
    })),
    ...(domains.data?.sending_domains ?? [])
      .filter(({ verified }) => !verified)
      .map(({ id, domain, records }) => ({
        key: id,
        title: `${domain} is not verified`,
        told: records
          .filter(({ status }) => status !== 'found')
          .map(({ purpose, status }) => `${purpose} ${status}`)
          .join(', '),
        to: `/o/${org}/settings/senders`,
        verb: 'Fix',
      })),
    ...(failed.data?.broadcasts ?? []).map((broadcast) => ({
      key: broadcast.id,
      title: `“${titleOf(broadcast)}” did not go out`,
      told: broadcast.error ?? '',
      to: `/o/${org}/broadcasts/${broadcast.id}`,
      verb: 'Open',
    })),
  ];
  const isKnown = domains.data !== undefined && failed.data !== undefined;
  return { problem, found: isKnown ? found : undefined };
}
