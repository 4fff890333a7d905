import { count } from '../../format/number.ts';
import type { IconName } from '../../ui/icon.tsx';
import type { Node, Trigger } from './graph.ts';

type Part = Trigger | Node;

const icons: Readonly<Record<Part['type'], IconName>> = {
  webinar_registration: 'flash',
  event: 'flash',
  wait: 'clock',
  attendance_split: 'split',
  condition_split: 'condition',
  send_email: 'mail',
  send_text: 'text',
  set_property: 'property',
  end: 'stop',
};

export const iconOf = ({ type }: Pick<Part, 'type'>): IconName => icons[type];

const units = [
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;

/** "2 days", "1 hour 30 minutes". */
function spanOf(minutes: number): string {
  let left = Math.abs(minutes);
  const said = units.flatMap(([unit, size]) => {
    const many = unit === 'minute' ? left : Math.floor(left / size);
    left -= many * size;
    return many === 0 ? [] : [`${count(many)} ${unit}${many === 1 ? '' : 's'}`];
  });
  return said.length === 0 ? '0 minutes' : said.join(' ');
}

function saidWait({ duration_minutes, anchor, offset_minutes = 0 }: Extract<Node, { type: 'wait' }>): string {
  if (anchor === undefined) return `for ${spanOf(duration_minutes ?? 0)}`;
  if (offset_minutes === 0) return `until the ${anchor}`;
  return `until ${spanOf(offset_minutes)} ${offset_minutes < 0 ? 'before' : 'after'} the ${anchor}`;
}

/** What a node says on the canvas and in lists, below its kind. `webinar` is the name of the trigger's. */
export function titleOf(part: Part, webinar?: string): string {
  switch (part.type) {
    case 'webinar_registration':
      return (part.webinar_id ?? null) === null ? 'Any webinar' : (webinar ?? 'One webinar');
    case 'event':
      return part.event_name;
    case 'wait':
      return saidWait(part);
    case 'send_email':
      return part.subject ?? part.id;
    case 'send_text':
      return part.message_body ?? part.id;
    case 'condition_split':
      return part.filters.length === 1 ? '1 condition' : `${count(part.filters.length)} conditions`;
    case 'attendance_split':
      return 'read when the run comes by';
    case 'set_property':
      return `${part.key}: ${String(part.value)}`;
    case 'end':
      return 'End';
  }
}
