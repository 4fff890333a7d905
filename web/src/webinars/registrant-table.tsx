import { Link } from '@tanstack/react-router';
import type { Output } from '../call/types.ts';
import { useAct, useOrg } from '../call/use-call.ts';
import { moment } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { useWhyNot } from '../frame/me.ts';
import { initialsOf, nameOf } from '../people/name.ts';
import { Icon } from '../ui/icon.tsx';
import { useToast } from '../ui/toast.tsx';
import type { Webinar } from './state.tsx';

type Registration = Output<'list_registrations'>['registrations'][number];

interface RegistrantTableProps {
  readonly webinar: Webinar;
  readonly rows: readonly Registration[];
  readonly isOld: boolean;
}

/** Who they are, their own links, and whether they came. */
export function RegistrantTable({ webinar, rows, isOld }: RegistrantTableProps) {
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
  const report = useAct('report_many_attendance', ['list_registrations', 'find_registrants']);
  const toast = useToast();
  const whyNot = useWhyNot()('report_many_attendance');
  const isOff = whyNot ?? (webinar.phase === 'upcoming' ? 'It has not begun yet.' : undefined);
  const name = row.person === null ? row.person_id : nameOf(row.person);
  const say = (attended: boolean, then: () => void): void =>
    report.mutate(
      { webinar_id: webinar.id, rows: [{ person_id: row.person_id, attended }] },
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
