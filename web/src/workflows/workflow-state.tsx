import type { Output } from '../call/types.ts';
import { Icon, type IconName } from '../ui/icon.tsx';

export type Surveyed = Output<'survey_workflows'>['workflows'][number];

const looks: Readonly<Record<Surveyed['status'], readonly [look: string, IconName, words: string]>> = {
  draft: ['draft', 'edit', 'Draft'],
  live: ['live', 'play', 'Live'],
  paused: ['paused', 'pause', 'Off'],
};

type Standing = Pick<Surveyed, 'status' | 'has_unpublished_changes'>;

/** What runs now, and whether the draft would change it. */
export function WorkflowState({ status, has_unpublished_changes }: Standing) {
  const [look, icon, words] = looks[status];
  return (
    <span className={`pill ${look}`}>
      <Icon name={icon} />
      {words}
      {status !== 'draft' && has_unpublished_changes && ', changed'}
    </span>
  );
}
