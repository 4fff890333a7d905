import { useQueries } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { call } from '../call/call.ts';
import type { Output } from '../call/types.ts';
import { useOrg } from '../call/use-call.ts';
import { count, people } from '../format/number.ts';
import { nameOf } from '../people/name.ts';
import { Icon } from '../ui/icon.tsx';
import type { Policy } from './search.ts';

type Preview = Output<'preview_import'>;

interface MergingRowsProps {
  readonly preview: Preview;
  readonly merges: Policy;
}

/** What becomes of rows whose identifiers belong to several people, with the first of those named. */
export function MergingRows({ preview, merges }: MergingRowsProps) {
  const navigate = useNavigate({ from: '/o/$org/imports/$import' });
  const { merging_rows, rows, people_merged_away } = preview;
  const said = `${count(merging_rows)} ${merging_rows === 1 ? 'row' : 'rows'}`;
  const choices: readonly (readonly [Policy, string, string])[] = [
    ['block', 'Stop here', 'Nothing is imported until the rows are settled.'],
    [
      'skip_rows',
      `Leave ${merging_rows === 1 ? 'this row' : `these ${said}`} out`,
      `${count(rows - merging_rows)} ${rows - merging_rows === 1 ? 'row is' : 'rows are'} imported. You can download the others.`,
    ],
    [
      'allow',
      `Merge the people ${merging_rows === 1 ? 'it' : 'each'} points at`,
      merges === 'allow'
        ? `${people(people_merged_away)} ${people_merged_away === 1 ? 'is' : 'are'} folded into others for good. It cannot be undone.`
        : 'People are folded into others for good. It cannot be undone.',
    ],
  ];
  return (
    <section className="card">
      <header>
        <Icon name="merged" />
        <h2 id="merging">
          {said} {merging_rows === 1 ? 'points' : 'point'} at two or more people{merging_rows > 1 && ' each'}
        </h2>
      </header>
      <div role="radiogroup" aria-labelledby="merging">
        {choices.map(([policy, label, told]) => (
          <label key={policy} className={policy === merges ? 'opt on' : 'opt'}>
            <input
              type="radio"
              className="tick"
              name="merges"
              checked={policy === merges}
              onChange={() =>
                void navigate({ search: (former) => ({ ...former, merges: policy }), resetScroll: false })
              }
            />
            <span>
              <span className="medium">{label}</span>
              <span className={policy === 'allow' ? 'told grave' : 'told'}>{told}</span>
            </span>
          </label>
        ))}
      </div>
      <Named preview={preview} />
    </section>
  );
}

function Named({ preview }: { readonly preview: Preview }) {
  const org = useOrg();
  const { first_merging_rows: rows, merging_rows } = preview;
  const ids = [...new Set(rows.flatMap(({ person_ids }) => person_ids))];
  const asked = useQueries({
    queries: ids.map((person_id) => ({
      queryKey: [org, 'get_person', { person_id }],
      queryFn: () => call(org, 'get_person', { person_id }),
    })),
  });
  const nameOfId = (id: string): string => {
    const person = asked[ids.indexOf(id as (typeof ids)[number])]?.data?.person;
    return person === undefined ? '…' : nameOf(person);
  };
  return (
    <>
      <table className="tbl tight merging">
        <thead>
          <tr>
            <th className="first num">Row</th>
            <th className="last">Points at</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, person_ids }) => (
            <tr key={row}>
              <td className="first num muted">{count(row)}</td>
              <td className="last names">
                {person_ids.map((id, place) => (
                  <span key={id}>
                    {place > 0 && ' and '}
                    <Link className="link" to="/o/$org/people/$person" params={{ org, person: id }}>
                      {nameOfId(id)}
                    </Link>
                  </span>
                ))}
                {person_ids.length === 1 && ' and somebody of an earlier row'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {merging_rows > rows.length && <p className="pager">The first {count(rows.length)} are shown.</p>}
    </>
  );
}
