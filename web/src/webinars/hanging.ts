import type { Output } from '../call/types.ts';
import { useAsk } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import type { Webinar } from './state.tsx';

export type Hanging = Output<'preview_reschedule'>;
export type Waits = Hanging['waits'][number];

/** What hangs on the start of a webinar: asked as if it moved to a start, its own unless another is given. */
export const useHanging = ({ id, start_time }: Webinar, enabled: boolean, start = start_time) =>
  useAsk('preview_reschedule', { webinar_id: id, start_time: start }, { enabled, keepsFormer: true });

const units = [
  [1_440, 'day'],
  [60, 'hour'],
  [1, 'minute'],
] as const;

/** 1 day before, 10 minutes after the end */
export function offsetWords({ anchor, offset_minutes }: Waits): string {
  const at = anchor === 'start' ? '' : ' the end';
  if (offset_minutes === 0) return anchor === 'start' ? 'At the start' : 'At the end';
  const size = Math.abs(offset_minutes);
  const [minutes, unit] = units.find(([one]) => size >= one && size % one === 0) ?? [1, 'minute'];
  const amount = size / minutes;
  return `${count(amount)} ${unit}${amount === 1 ? '' : 's'} ${offset_minutes < 0 ? 'before' : 'after'}${at}`;
}
