import { Link, useNavigate } from '@tanstack/react-router';
import { useAct, useAsk, useOrg } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { count } from '../format/number.ts';
import { useWhyNot } from '../frame/me.ts';
import { Button } from '../ui/button.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import { sayCondition, type FilterField, type Segment, type Sent } from './condition.ts';

interface SegmentRailProps {
  readonly saved: Segment | undefined;
  readonly filters: readonly Sent[];
  readonly fields: readonly FilterField[];
  readonly left: readonly (number | undefined)[];
  readonly preview: Output<'preview_segment'> | undefined;
  /** What is shown is of the conditions before the last change. */
  readonly isOld: boolean;
}

export function SegmentRail({ saved, filters, fields, left, preview, isOld }: SegmentRailProps) {
  const org = useOrg();
  const everybody = useAsk('list_people', { limit: 1 });
  const total = everybody.data?.total;
  const widthOf = (some: number | undefined): string =>
    some === undefined || !total ? '0%' : `${(100 * some) / total}%`;
  return (
    <aside className="rail" aria-label="Who is in it">
      {preview !== undefined && (
        <section aria-live="polite" className={isOld ? 'dim' : undefined}>
          <p className="hint">Members now</p>
          <div className="fig xl">{count(preview.count)}</div>
          <p className="muted">
            {count(preview.reachable_by_email)} reachable by email
            {total !== undefined && `, of ${count(total)} people`}
          </p>
        </section>
      )}
      {filters.length > 1 && preview !== undefined && (
        <section>
          <h2 className="h2">How each condition narrows it</h2>
          <ul className="fun mt3">
            {filters.map((condition, place) => (
              // Conditions have no id; their place is what is drawn.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={place}>
                <span className="hint ellipsis">{sayCondition(condition, fields)}</span>
                <span className="meter">
                  <i style={{ width: widthOf(left[place]) }} />
                </span>
                <span className="num">{left[place] === undefined ? '—' : count(left[place])}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {saved !== undefined && (
        <section>
          <Link className="link" to="/o/$org/people" params={{ org }} search={{ segment_id: saved.id }}>
            See everybody in it
          </Link>
        </section>
      )}
      {saved !== undefined && saved.used_by.length > 0 && (
        <section>
          <h2 className="h2">Used by</h2>
          <ul className="col mt2">
            {saved.used_by.map(({ kind, id, name }) => (
              <li key={id} className="row">
                <Icon name={kind} small />
                {name}
              </li>
            ))}
          </ul>
          <p className="hint mt3">
            A change counts at once for all of them. A plan made before it goes stale.
          </p>
        </section>
      )}
      {saved !== undefined && !saved.is_system && <DeleteSegment saved={saved} />}
      <div className="row g4 wrap">
        <CopyAsCall operation="preview_segment" input={{ filters: [...filters] }} />
      </div>
    </aside>
  );
}

/** Done at once, with an undo that makes it anew. */
function DeleteSegment({ saved }: { readonly saved: Segment }) {
  const org = useOrg();
  const navigate = useNavigate();
  const toast = useToast();
  const remove = useAct('delete_segment', ['list_segments']);
  const make = useAct('create_segment', ['list_segments']);
  const whyNot = useWhyNot()('delete_segment');
  const { name, description, color, filters } = saved;
  return (
    <section>
      <Button
        kind="danger-ghost"
        size="s"
        icon="trash"
        unless={whyNot}
        busy={remove.isPending && 'Deleting'}
        onClick={() =>
          remove.mutate(
            { segment_id: saved.id },
            {
              onSuccess: () => {
                toast(`Segment “${name}” deleted`, () =>
                  make.mutate({
                    name,
                    description,
                    ...(color !== null && { color }),
                    filters: filters as Sent[],
                  }),
                );
                void navigate({ to: '/o/$org/segments', params: { org } });
              },
            },
          )
        }
      >
        Delete this segment
      </Button>
      {remove.error !== null && (
        <p className="err mt2" role="alert">
          {remove.error.message}
        </p>
      )}
    </section>
  );
}
