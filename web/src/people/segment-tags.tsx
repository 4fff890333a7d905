import { Link } from '@tanstack/react-router';
import { useAsk, useOrg } from '../call/use-call.ts';

const shown = 4;

/** The segments somebody is in at this moment. */
export function SegmentTags({ id }: { readonly id: string }) {
  const org = useOrg();
  const { data } = useAsk('list_person_segments', { person_id: id });
  if (data === undefined || data.segments.length === 0) return null;
  const more = data.segments.slice(shown);
  return (
    <ul className="segtags" aria-label="Segments">
      {data.segments.slice(0, shown).map(({ id: segment, name, color }) => (
        <li key={segment}>
          <Link className="tag" to="/o/$org/segments/$segment" params={{ org, segment }}>
            <span className="dot" style={{ background: color ?? 'var(--text-3)' }} />
            {name}
          </Link>
        </li>
      ))}
      {more.length > 0 && (
        <li className="hint" title={more.map(({ name }) => name).join(', ')}>
          and {more.length} more {more.length === 1 ? 'segment' : 'segments'}
        </li>
      )}
    </ul>
  );
}
