import type { Output } from '../call/types.ts';
import { Icon, type IconName } from '../ui/icon.tsx';

export type Webinar = Output<'get_webinar'>['webinar'];

type State = 'draft' | 'canceled' | 'upcoming' | 'live' | 'ended';

const looks: Readonly<Record<State, readonly [className: string, icon: IconName, word: string]>> = {
  draft: ['draft', 'edit', 'Draft'],
  canceled: ['stopped', 'close', 'Canceled'],
  upcoming: ['scheduled', 'clock', 'Scheduled'],
  live: ['live', 'webinar', 'Live'],
  ended: ['plain', 'tick', 'Ended'],
};

const stateOf = ({ status, phase }: Webinar): State => (status === 'scheduled' ? phase : status);

export function StatePill({ webinar }: { readonly webinar: Webinar }) {
  const [className, icon, word] = looks[stateOf(webinar)];
  return (
    <span className={`pill ${className}`}>
      <Icon name={icon} />
      {word}
    </span>
  );
}
