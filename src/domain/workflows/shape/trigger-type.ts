import type { z } from 'zod';
import type { Work } from '../../../database/work.ts';
import type { FormField } from './node-fields.ts';
import type { NodeProblem } from './node-type.ts';

export interface TriggerBase {
  readonly type: string;
  readonly next?: string | undefined;
}

/** Everything a workflow knows about one way to begin its runs; `domain/triggers` decides which rows begin them. */
export interface TriggerType<
  Schema extends z.ZodType<TriggerBase>,
  Trigger extends TriggerBase = z.output<Schema>,
  Field extends string = Exclude<keyof Trigger & string, 'type'>,
> {
  readonly type: Trigger['type'];
  readonly label: string;
  /** What a form asks for: every field of the schema but type. */
  readonly fields: Readonly<Record<Field, FormField>>;
  readonly schema: Schema;
  /** Whether its runs have a webinar: what waits are anchored to, splits ask about and variables read. */
  hasWebinar(trigger: Trigger): boolean;
  /** The trigger as stored, where callers can write one value in several ways. */
  normalize(trigger: Trigger): Trigger;
  /** Refuses a draft that names something of another organization. */
  requireReferences(work: Work, trigger: Trigger): Promise<void>;
  /** What prevents publishing, besides a missing first node; pointers are relative to the trigger. */
  problems(trigger: Trigger): readonly NodeProblem[];
  /** The columns by which `domain/triggers` finds a published workflow. */
  columns(trigger: Trigger): {
    readonly trigger_webinar_id: string | null;
    readonly trigger_event: string | null;
  };
}

export type AnyTriggerType<Type extends string = string> = TriggerType<
  z.ZodType<TriggerBase>,
  TriggerBase & { readonly type: Type },
  string
>;

/** A registry of all these triggers, each complete and under its own name. */
export type TriggerTypes<Name extends string> = { readonly [Type in Name]: AnyTriggerType<Type> };
