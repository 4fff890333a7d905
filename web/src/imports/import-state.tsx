import type { Output } from '../call/types.ts';
import { Icon, type IconName } from '../ui/icon.tsx';

type Status = Output<'get_import'>['status'];

const looks: Readonly<Record<Status, readonly [className: string, icon: IconName, label: string]>> = {
  draft: ['draft', 'edit', 'Draft'],
  mapped: ['draft', 'edit', 'Draft, mapped'],
  committing: ['sending', 'clock', 'Importing'],
  completed: ['sent', 'tick', 'Done'],
  completed_with_failures: ['warn', 'warning', 'Done, some failed'],
  failed: ['failed', 'bad', 'Failed'],
};

export function ImportState({ status }: { readonly status: Status }) {
  const [className, icon, label] = looks[status];
  return (
    <span className={`pill ${className}`}>
      <Icon name={icon} />
      {label}
    </span>
  );
}
