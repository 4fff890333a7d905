import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Output } from '../call/types.ts';
import { useAct, useAsk, useOrg } from '../call/use-call.ts';
import { count } from '../format/number.ts';
import { moment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { useWhyNot } from '../frame/me.ts';
import { initialsOf, nameOf } from '../people/name.ts';
import { Blank, Failed, Skeleton } from '../ui/blank.tsx';
import { Icon } from '../ui/icon.tsx';
import { Pager } from '../ui/pager.tsx';
import { useToast } from '../ui/toast.tsx';
import type { WebinarSearch } from './search.ts';
import type { Webinar } from './state.tsx';

const pageSize = 50;
type Registration = Output<'list_registrations'>['registrations'][number];

const choices = [
  ['Everybody', undefined],
  ['Attended', true],
  ['Not attended', false],
] as const;

/** Who is registered, newest first, and whether they came. */
export function Registrants({ webinar }: { readonly webinar: Webinar }) {
  const { attended, offset = 0 } = useSearch({ from: '/o/$org/webinars/$webinar' });
  const navigate = useNavigate({ from: '/o/$org/webinars/$webinar' });
  const go = (search: WebinarSearch): void => void navigate({ search });
  const filter = attended === undefined ? {} : { attended };
  const asked = useAsk(
    'list_registrations',
    { webinar_id: webinar.id, ...filter, limit: pageSize, offset },
    { keepsFormer: true },
  );
  const rows = asked.data?.registrations ?? [];
  return (
    <section className="mt6" aria-label="Registrants">
      <div className="row wrap">
        <h2 className="h2">Registrants</h2>
        {asked.data !== undefined && <span className="hint">{count(asked.data.total)}, newest first</span>}
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
      {asked.error !== null ? (
        <Failed problem={asked.error} what="registrations" retry={() => void asked.refetch()} />
      ) : asked.data === undefined ? (
        <Skeleton rows={6} />
      ) : rows.length === 0 ? (
        <Blank icon="people" title={attended === undefined ? 'Nobody is registered yet' : 'Nobody so far'}>
          {attended === undefined
            ? 'Add somebody here, or register people by your programs.'
            : 'Attendance is recorded here, by your programs, or by a linked platform.'}
        </Blank>
      ) : (
        <>
          <RegistrantTable webinar={webinar} rows={rows} isOld={asked.isPlaceholderData} />
          <Pager
            total={asked.data.total}
            offset={offset}
            size={pageSize}
            onGo={(next) => go({ ...filter, ...(next !== undefined && { offset: next }) })}
          />
        </>
      )}
    </section>
  );
}

interface RegistrantTableProps {
  readonly webinar: Webinar;
  readonly rows: readonly Registration[];
  readonly isOld: boolean;
}

function RegistrantTable({ webinar, rows, isOld }: RegistrantTableProps) {
  const org = useOrg();
  const { now, zone } = useNow();
  return (
    <table className="tbl rg mt2" aria-busy={isOld}>
      <thead>
        <tr>
          <th className="l0">Person</th>
          <th className="only-wide">Registered</th>
          <th className="only-wide">Join link</th>
          <th className="num r0">Attended</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.registration_id}>
            <td className="l0 who">
              <Link to="/o/$org/people/$person" params={{ org, person: row.person_id }} className="row g3">
                <span className="avatar" aria-hidden="true">
                  {row.person === null ? '' : initialsOf(row.person)}
                </span>
                <span className="col g0">
                  <span className="medium ellipsis">
                    {row.person === null ? row.person_id : nameOf(row.person)}
                  </span>
                  <span className="hint ellipsis">
                    {row.person === null
                      ? 'You may not read people'
                      : (row.person.primary_email ?? row.person.primary_phone ?? '—')}
                  </span>
                </span>
              </Link>
            </td>
            <td className="only-wide muted">{moment(new Date(row.registered_at), zone, now)}</td>
            <td className="only-wide">
              {row.join_url === null ? <span className="muted">—</span> : <CopyLink link={row.join_url} />}
            </td>
            <td className="num r0">
              <Attended webinar={webinar} row={row} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CopyLink({ link }: { readonly link: string }) {
  const toast = useToast();
  return (
    <button
      type="button"
      className="copy"
      onClick={() => void navigator.clipboard.writeText(link).then(() => toast('Personal link copied'))}
    >
      <Icon name="copy" small />
      Personal link
    </button>
  );
}

function Attended({ webinar, row }: { readonly webinar: Webinar; readonly row: Registration }) {
  const report = useAct('report_attendance', ['list_registrations']);
  const toast = useToast();
  const whyNot = useWhyNot()('report_attendance');
  const email = row.person?.primary_email ?? undefined;
  const isOff =
    whyNot ??
    (webinar.phase === 'upcoming'
      ? 'It has not begun yet.'
      : email === undefined
        ? 'No email of theirs is shown; your programs report attendance by user_id.'
        : undefined);
  const name = row.person === null ? row.person_id : nameOf(row.person);
  const say = (attended: boolean, then: () => void): void =>
    report.mutate(
      { webinar_id: webinar.id, ...(email !== undefined && { email }), attended },
      { onSuccess: then },
    );
  return (
    <>
      {report.error !== null && (
        <span className="err" role="alert">
          {report.error.message}
        </span>
      )}
      <button
        type="button"
        role="switch"
        className={row.attended ? 'switch on' : 'switch'}
        aria-checked={row.attended}
        aria-disabled={isOff !== undefined || undefined}
        aria-label={`${name} attended`}
        title={isOff}
        onClick={() => {
          if (isOff !== undefined || report.isPending) return;
          const attended = !row.attended;
          say(attended, () =>
            toast(`${name}: ${attended ? 'attended' : 'not attended'}`, () =>
              say(!attended, () => undefined),
            ),
          );
        }}
      />
    </>
  );
}
