import type { Output } from '../call/types.ts';
import { Icon, type IconName } from '../ui/icon.tsx';

export type Listed = Output<'list_broadcasts'>['broadcasts'][number];
export type Broadcast = Output<'get_broadcast'>['broadcast'];
type Status = Listed['status'];

export const stateWords: Readonly<Record<Status, string>> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  sending: 'Sending',
  sent: 'Sent',
  stopped: 'Stopped',
  error: 'Error',
};

const icons: Readonly<Record<Status, IconName>> = {
  draft: 'edit',
  scheduled: 'clock',
  sending: 'broadcast',
  sent: 'tick',
  stopped: 'minus',
  error: 'bad',
};

interface StatePillProps {
  readonly status: Status;
  /** Its time came, and it waits for somebody's decision. */
  readonly isHeld?: boolean;
}

export const StatePill = ({ status, isHeld = false }: StatePillProps) => (
  <span className={`pill ${isHeld ? 'warn' : status}`}>
    <Icon name={isHeld ? 'warning' : icons[status]} />
    {isHeld ? 'Held' : stateWords[status]}
  </span>
);
