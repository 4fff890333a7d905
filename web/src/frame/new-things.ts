import type { OperationName } from '../call/types.ts';
import type { IconName } from '../ui/icon.tsx';

export interface NewThing {
  readonly label: string;
  readonly icon: IconName;
  readonly operation: OperationName;
  readonly to: string;
}

/** What can be made, in the New menu and in the palette. An area that makes something adds its line. */
export const newThings = (org: string): readonly NewThing[] => [
  { label: 'Webinar', icon: 'webinar', operation: 'create_webinar', to: `/o/${org}/webinars?make=true` },
  { label: 'Workflow', icon: 'workflow', operation: 'create_workflow', to: `/o/${org}/workflows?make=true` },
  { label: 'Person', icon: 'person', operation: 'identify_person', to: `/o/${org}/people?make=true` },
  { label: 'Import', icon: 'upload', operation: 'create_import', to: `/o/${org}/imports/new` },
  { label: 'Segment', icon: 'people', operation: 'create_segment', to: `/o/${org}/segments/new` },
  { label: 'API key', icon: 'key', operation: 'create_api_key', to: `/o/${org}/settings/keys?make=true` },
  { label: 'Invitation', icon: 'person', operation: 'invite_member', to: `/o/${org}/settings/members` },
];
