import { useNavigate } from '@tanstack/react-router';
import { useAct, useAsk, useOrg } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { count, people } from '../format/number.ts';
import { cityOf, clockTime } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Icon } from '../ui/icon.tsx';
import { MergingRows } from './merging-rows.tsx';
import type { Policy } from './search.ts';

type Preview = Output<'preview_import'>;

interface PreviewStepProps {
  readonly id: string;
  readonly merges: Policy;
}

export function PreviewStep({ id, merges }: PreviewStepProps) {
  const asked = useAsk('preview_import', { import_id: id, merges }, { keepsFormer: true });
  const { data: preview } = asked;
  if (asked.error !== null)
    return <Failed problem={asked.error} what="the preview" retry={() => void asked.refetch()} />;
  if (preview === undefined) return <Skeleton rows={8} />;
  const again = (): void => void asked.refetch();
  return (
    <div className={`two mt6${asked.isFetching ? ' dim' : ''}`} aria-busy={asked.isFetching}>
      <div className="col g4">
        <Numbers preview={preview} />
        {preview.merging_rows > 0 && <MergingRows preview={preview} merges={merges} />}
      </div>
      <div className="col g4">
        <AlsoChanges preview={preview} />
        <Commit preview={preview} merges={merges} isOld={asked.isFetching} onAgain={again} />
        <div className="row g4 wrap">
          <CopyAsCall operation="preview_import" input={{ import_id: id, merges }} />
        </div>
      </div>
    </div>
  );
}

function Numbers({ preview }: { readonly preview: Preview }) {
  const figures = [
    ['New people', preview.people_to_create, 'var(--accent)'],
    ['People updated', preview.people_to_update, 'var(--blue-solid)'],
    ['Unchanged', preview.people_unchanged, 'var(--chart-2)'],
    ['Would merge people', preview.merging_rows, 'var(--amber-solid)'],
  ] as const;
  return (
    <section className="card" aria-live="polite">
      <header>
        <h2>
          {count(preview.rows)} {preview.rows === 1 ? 'row' : 'rows'}
        </h2>
      </header>
      <div className="body">
        <div className="bar l" aria-hidden="true">
          {figures.map(
            ([label, some, color]) =>
              some > 0 && <span key={label} style={{ flexGrow: some, background: color }} />,
          )}
        </div>
      </div>
      <div className="nums">
        {figures.map(([label, some, color]) => (
          <div key={label}>
            <p className="hint row g1">
              <span className="swatch" style={{ background: color }} />
              {label}
            </p>
            <div className="fig">{count(some)}</div>
          </div>
        ))}
      </div>
    </section>
  );
}

const typeWords = { string: 'text', number: 'number', boolean: 'true or false' } as const;

function AlsoChanges({ preview }: { readonly preview: Preview }) {
  const lines: readonly (readonly [what: string, much: string])[] = [
    ['Opted out of email', people(preview.people_to_opt_out)],
    ...preview.values_changed.map(
      ({ key, count: some }) =>
        [`${key} replaced`, `${count(some)} ${some === 1 ? 'value' : 'values'}`] as const,
    ),
    ...preview.properties_to_create.map(
      ({ key, type }) => [`Property made: ${key}`, typeWords[type]] as const,
    ),
    ['Suppressed again', people(preview.suppressed_again)],
    ...(preview.joined > 0 ? ([['Rows that are of one person', count(preview.joined)]] as const) : []),
    ['Names replaced', '0, never'],
  ];
  return (
    <section className="card">
      <header>
        <h2>Also changes</h2>
      </header>
      <ul className="list">
        {lines.map(([what, much]) => (
          <li key={what}>
            <span className="grow ellipsis">{what}</span>
            <span className="medium">{much}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface CommitProps {
  readonly preview: Preview;
  readonly merges: Policy;
  readonly isOld: boolean;
  readonly onAgain: () => void;
}

function Commit({ preview, merges, isOld, onAgain }: CommitProps) {
  const org = useOrg();
  const navigate = useNavigate();
  const { now, zone } = useNow();
  const whyNot = useWhyNot()('commit_import');
  const commit = useAct('commit_import', [
    'get_import',
    'list_data_imports',
    'list_people',
    'list_property_configs',
  ]);
  const rows = merges === 'allow' ? preview.rows : preview.rows - preview.merging_rows;
  const { import_id, commit_token, expires_at, blocked } = preview;
  const isOver = expires_at !== null && new Date(expires_at) <= now;
  const begin = (token: string): void =>
    commit.mutate(
      { commit_token: token },
      {
        onSuccess: () =>
          void navigate({ to: '/o/$org/imports/$import', params: { org, import: import_id }, search: {} }),
      },
    );
  return (
    <section className="card">
      <div className="body col g3">
        {blocked !== null && (
          <p className="note warn">
            <Icon name="warning" />
            <span>
              {preview.merging_rows > 0 && merges === 'block'
                ? 'Say first what becomes of the rows that point at several people.'
                : blocked}
            </span>
          </p>
        )}
        {expires_at !== null && (
          <p className="hint row">
            <Icon name="clock" small />
            {isOver
              ? 'The preview is over an hour old.'
              : `Preview holds until ${clockTime(new Date(expires_at), zone)} ${cityOf(zone)}, or until these people change.`}
          </p>
        )}
        <p className="note warn">
          <Icon name="warning" />
          <span>
            <b>It cannot be cancelled once begun.</b> You may leave the page; it goes on.
          </span>
        </p>
        {commit.error !== null && (
          <p className="note bad" role="alert">
            <Icon name="bad" />
            <span>{commit.error.message}</span>
          </p>
        )}
        {commit.error !== null || isOver ? (
          <Button
            kind="primary"
            size="l"
            icon="again"
            onClick={() => {
              commit.reset();
              onAgain();
            }}
          >
            Preview again
          </Button>
        ) : (
          <Button
            kind="primary"
            size="l"
            unless={whyNot ?? (commit_token === null && (blocked ?? 'Nothing can be imported.'))}
            busy={(commit.isPending && 'Beginning') || (isOld && 'Counting')}
            onClick={() => begin(commit_token!)}
          >
            Import {count(rows)} {rows === 1 ? 'row' : 'rows'}
          </Button>
        )}
      </div>
    </section>
  );
}
