import { useNavigate, useSearch } from '@tanstack/react-router';
import { useAsk } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { useWhyNot } from '../frame/me.ts';
import { Blank, Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { ExportButton } from '../ui/export-button.tsx';
import { Pager } from '../ui/pager.tsx';
import { FindRegistrant } from './find-registrant.tsx';
import { RegistrantTable } from './registrant-table.tsx';
import type { WebinarSearch } from './search.ts';
import type { Webinar } from './state.tsx';

const pageSize = 50;

const choices = [
  ['Everybody', undefined],
  ['Attended', true],
  ['Not attended', false],
] as const;

/** Who is registered, newest first, and whether they came. */
export function Registrants({ webinar }: { readonly webinar: Webinar }) {
  const { attended, offset = 0, find } = useSearch({ from: '/o/$org/webinars/$webinar' });
  const navigate = useNavigate({ from: '/o/$org/webinars/$webinar' });
  const go = (search: WebinarSearch): void => void navigate({ search });
  const filter = attended === undefined ? {} : { attended };
  const asked = useAsk(
    'list_registrations',
    { webinar_id: webinar.id, ...filter, limit: pageSize, offset },
    { keepsFormer: true, enabled: find === undefined },
  );
  const found = useAsk(
    'find_registrants',
    { webinar_id: webinar.id, query: find ?? '' },
    { keepsFormer: true, enabled: find !== undefined },
  );
  const whyNot = useWhyNot();
  const shown = find === undefined ? asked : found;
  const rows = shown.data?.registrations ?? [];
  return (
    <section className="mt6" aria-label="Registrants">
      <div className="row wrap">
        <h2 className="h2">Registrants</h2>
        {asked.data !== undefined && find === undefined && (
          <span className="hint">{count(asked.data.total)}, newest first</span>
        )}
        <div className="seg end" role="group" aria-label="Whose registrations">
          {choices.map(([word, is]) => (
            <button
              key={word}
              type="button"
              aria-pressed={attended === is}
              onClick={() => go(is === undefined ? {} : { attended: is })}
            >
              {word}
            </button>
          ))}
        </div>
      </div>
      <div className="row wrap mt2">
        <FindRegistrant
          key={find === undefined ? '' : 'found'}
          find={find}
          unless={whyNot('list_people')}
          onFind={(sought) => go(sought === undefined ? {} : { find: sought })}
        />
        <span className="row wrap end">
          <ExportButton
            size="s"
            path={`/v1/webinars/${webinar.id}/registrations/export`}
            query={filter}
            file="registrants.csv"
            unless={whyNot('list_people')}
          />
          <Button
            size="s"
            icon="upload"
            unless={
              whyNot('report_many_attendance') ?? (webinar.phase === 'upcoming' && 'It has not begun yet.')
            }
            onClick={() => go({ ask: 'attendance' })}
          >
            Attendance from a file
          </Button>
        </span>
      </div>
      {shown.error !== null ? (
        <Failed problem={shown.error} what="registrations" retry={() => void shown.refetch()} />
      ) : shown.data === undefined ? (
        <Skeleton rows={6} />
      ) : rows.length === 0 && find !== undefined ? (
        <Blank icon="search" title="Nobody is found">
          No registrant has this in their name, email or phone. The newest 20,000 were looked at.
        </Blank>
      ) : rows.length === 0 ? (
        <Blank icon="people" title={attended === undefined ? 'Nobody is registered yet' : 'Nobody so far'}>
          {attended === undefined
            ? 'Add somebody here, or register people by your programs.'
            : 'Attendance is recorded here, by your programs, or by a linked platform.'}
        </Blank>
      ) : (
        <>
          <RegistrantTable webinar={webinar} rows={rows} isOld={shown.isPlaceholderData} />
          {asked.data !== undefined && find === undefined && (
            <Pager
              total={asked.data.total}
              offset={offset}
              size={pageSize}
              onGo={(next) => go({ ...filter, ...(next !== undefined && { offset: next }) })}
            />
          )}
        </>
      )}
    </section>
  );
}
