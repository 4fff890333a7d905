import type { Work } from '../../../database/work.ts';
import type { PersonId } from '../../../kernel/ids.ts';
import type { Addressed } from '../../broadcasts/sending/mailing.ts';
import type { Announced } from './simulated-message.ts';
import type { WebinarTimes } from './times.ts';

export interface LiveBase {
  readonly type: string;
}

/** A run on its way through a graph. `at` is the run's own time, which may be a little behind the clock's. */
export interface Traveller {
  readonly run_id: string;
  readonly person_id: PersonId;
  /** The node to enter next. */
  readonly node: string;
  readonly at: Date;
}

/** A wait for a moment of the webinar keeps its offset, so that it moves with the webinar. */
export interface Anchored {
  readonly anchor: 'start' | 'end';
  readonly offset_ms: number;
}

/** Where a run goes from a node, and what its path says about that. */
export interface GoesOn<Deed extends string = string> {
  readonly does: 'go_on';
  readonly to: string;
  readonly at: Date;
  readonly did: Deed;
}

export type Move<Deed extends string = string> =
  | GoesOn<Deed>
  | { readonly does: 'wait'; readonly due: Date; readonly anchored?: Anchored }
  | { readonly does: 'end'; readonly did: Deed };

/** A wait that is over, as recorded when the run reached it. */
export interface EndedWait {
  readonly due: Date;
  readonly anchored: boolean;
  readonly began_at: Date;
}

/** What nodes ask about people: the current rows, except for what a simulation supposes. */
export interface Question {
  readonly webinar_id: string | null;
  readonly supposed: { readonly attended?: boolean | undefined };
}

/** The node of a published version that runs passed. */
export interface Place {
  readonly workflow_id: string;
  readonly version: number;
  readonly webinar_id: string | null;
  readonly node: string;
}

/** What runs do at a published node. Two types of node may compile to the same type for runs. */
export interface NodeRun<Live extends LiveBase, Deed extends string> {
  readonly type: Live['type'];
  /** What a run's path may say here, each with a description. */
  readonly deeds: Readonly<Record<Deed, string>>;
  /** Those of many people for whom the node's question holds at this moment. */
  ask(work: Work, node: Live, question: Question, people: readonly PersonId[]): Promise<ReadonlySet<string>>;
  /**
   * The moves of all who reached the node together, one for each, in their order. `holds` asks once for all. Nothing but
   * its answer and the time may tell people apart: in a dry run one walks for many.
   */
  enter(
    node: Live,
    travellers: readonly Traveller[],
    arrival: { readonly times: WebinarTimes | undefined; readonly holds: () => Promise<ReadonlySet<string>> },
  ): Promise<readonly Move<Deed>[]>;
  /** How a run continues when its wait is over. */
  leave(
    node: Live,
    wait: EndedWait,
    since: { readonly times: WebinarTimes | undefined; readonly resumedAt: Date | null },
  ): GoesOn<Deed>;
  /** The keys of custom properties that it sets. All are locked before any value is written. */
  sets(node: Live): readonly string[];
  /** Writes for all who passed, at once. */
  write(work: Work, node: Live, travellers: readonly Traveller[]): Promise<void>;
  /** What goes out to those who passed. All messages are added last: other transactions want the rows this locks. */
  send(node: Live, place: Place, travellers: readonly Traveller[]): Addressed | null;
  /** The message that a dry run sums up for those who pass. */
  simulate(node: Live): Announced | null;
  /** What get_workflow counts here, besides waiting runs. */
  readonly counts: { readonly messages: boolean };
}

/** The run part of any type, for code that treats all alike. */
export type AnyNodeRun = NodeRun<LiveBase, string>;
