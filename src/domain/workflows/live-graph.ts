import type { StepMessage } from '../broadcasts/mailing.ts';
import type { StoredCondition } from '../segments/condition.ts';
import type { Trigger } from './graph.ts';

/**
 * A graph as it was published: nothing in it is missing any more, every `next` names a node that is there, and the
 * messages are compiled. Runs read this and nothing else.
 */
export interface LiveGraph {
  readonly trigger: Trigger & { readonly next: string };
  readonly nodes: Readonly<Record<string, LiveNode>>;
}

export type LiveNode =
  | LiveWait
  | { readonly type: 'attendance_split'; readonly attended: string; readonly no_show: string }
  | {
      readonly type: 'condition_split';
      readonly filters: readonly StoredCondition[];
      readonly yes: string;
      readonly no: string;
    }
  | { readonly type: 'send'; readonly message: StepMessage; readonly next: string }
  | {
      readonly type: 'set_property';
      readonly key: string;
      readonly value: string | number | boolean;
      readonly next: string;
    }
  | { readonly type: 'end' };

export interface LiveWait {
  readonly type: 'wait';
  readonly for: number | { readonly anchor: 'start' | 'end'; readonly offset_ms: number };
  readonly next: string;
  readonly past: string;
}
