import { useState } from 'react';
import { Segmented } from '../../broadcasts/segmented.tsx';
import { useAsk } from '../../call/use-call.ts';
import type { Output } from '../../call/types.ts';
import { cityOf, localOf, momentAt } from '../../format/time.ts';
import { useNow } from '../../frame/clock.tsx';
import { useWhyNot } from '../../frame/me.ts';
import { Button } from '../../ui/button.tsx';
import { Input, Select } from '../../ui/field.tsx';
import type { Graph } from '../graph/graph.ts';
import type { Supposed } from './use-told.ts';

export type Version = 'draft' | 'live';
type Attendance = 'recorded' | 'attended' | 'missed';
type Webinar = Pick<Output<'list_webinars'>['webinars'][number], 'id' | 'title' | 'start_time'>;

export interface Suppositions {
  readonly webinar: Webinar | undefined;
  readonly webinars: readonly Webinar[];
  /** The trigger's own webinar cannot be exchanged. */
  readonly isFixed: boolean;
  readonly isReady: boolean;
  readonly attendance: Attendance;
  readonly start: Date | undefined;
  readonly input: Omit<Supposed, 'workflow_id' | 'version'>;
  readonly choose: (webinar: string) => void;
  readonly suppose: (attendance: Attendance) => void;
  readonly move: (start: Date | undefined) => void;
}

/** What a dry run supposes: which webinar, when it starts, whether people come. */
export function useSuppositions({ trigger }: Graph): Suppositions {
  const fixed = trigger.type === 'webinar_registration' ? (trigger.webinar_id ?? undefined) : undefined;
  const mayRead = useWhyNot()('list_webinars') === undefined;
  const own = useAsk('get_webinar', { webinar_id: fixed ?? '' }, { enabled: mayRead && fixed !== undefined });
  const all = useAsk('list_webinars', { limit: 50 }, { enabled: mayRead && fixed === undefined });
  const [chosen, choose] = useState<string>();
  const [attendance, suppose] = useState<Attendance>('recorded');
  const [moved, move] = useState<Date>();
  const webinars = fixed === undefined ? (all.data?.webinars ?? []) : [];
  // An event may have a webinar or none; the service says when one is needed.
  const usual = trigger.type === 'event' ? undefined : webinars[0];
  const webinar = own.data?.webinar ?? webinars.find(({ id }) => id === chosen) ?? usual;
  const id = fixed ?? webinar?.id;
  return {
    webinar,
    webinars,
    isFixed: fixed !== undefined,
    isReady: fixed !== undefined || !mayRead || all.data !== undefined,
    attendance,
    start: moved ?? (webinar === undefined ? undefined : new Date(webinar.start_time)),
    input: {
      ...(id !== undefined && { webinar_id: id }),
      ...(attendance !== 'recorded' && { attended: attendance === 'attended' }),
      ...(moved !== undefined && id !== undefined && { webinar_starts_at: moved.toISOString() }),
    },
    choose: (next) => {
      choose(next);
      move(undefined);
    },
    suppose,
    move,
  };
}

const attendances = [
  ['recorded', 'As recorded'],
  ['attended', 'If attended'],
  ['missed', 'If not'],
] as const;

export function SuppositionBar({ suppositions }: { readonly suppositions: Suppositions }) {
  const { webinar, webinars, isFixed, attendance, start, input, choose, suppose, move } = suppositions;
  const { zone } = useNow();
  return (
    <>
      {!isFixed && webinars.length > 0 && (
        <Select
          size="s"
          aria-label="Webinar"
          value={webinar?.id ?? ''}
          onChange={({ target: { value } }) => choose(value)}
          choices={[
            ...(webinar === undefined ? [['', 'Without a webinar'] as const] : []),
            ...webinars.map(({ id, title }) => [id, title] as const),
          ]}
        />
      )}
      <Segmented label="Attendance" choices={attendances} value={attendance} onChange={suppose} />
      {start !== undefined && (
        <label className="moves">
          <span className="hint">Webinar starts, {cityOf(zone)}</span>
          <Input
            size="s"
            type="datetime-local"
            value={localOf(start, zone)}
            onChange={({ target: { value } }) => {
              const at = momentAt(value, zone);
              if (at !== undefined) move(at);
            }}
          />
        </label>
      )}
      {input.webinar_starts_at !== undefined && (
        <Button size="s" kind="ghost" icon="undo" onClick={() => move(undefined)}>
          As planned
        </Button>
      )}
    </>
  );
}
