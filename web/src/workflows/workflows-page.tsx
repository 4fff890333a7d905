import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useAct, useAsk, useOrg } from '../call/use-call.ts';
import { Page } from '../frame/frame.tsx';
import { useWhyNot } from '../frame/me.ts';
import { Blank, Failed, Skeleton } from '../ui/blank.tsx';
import { Button } from '../ui/button.tsx';
import { CopyAsCall } from '../ui/copy-as-call.tsx';
import { Input } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Pager } from '../ui/pager.tsx';
import type { WorkflowsSearch } from './search.ts';
import { WorkflowTable } from './workflow-table.tsx';
import './workflows.css';

const pageSize = 50;

export function WorkflowsPage() {
  const { make, ...search } = useSearch({ from: '/o/$org/workflows' });
  const navigate = useNavigate({ from: '/o/$org/workflows' });
  const asked = useAsk(
    'survey_workflows',
    { ...search, limit: pageSize },
    { keepsFormer: true, everyMs: 15_000 },
  );
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Page crumbs={[]} title="Workflows">
      <div className="page wide">
        <div className="head">
          <div>
            <h1>Workflows</h1>
          </div>
          <div className="acts">
            <NewWorkflow atOnce={make === true} />
          </div>
        </div>
        <div className="row wrap tools">
          <States search={search} />
          <Find search={search} />
        </div>
        {asked.error !== null ? (
          <Failed problem={asked.error} what="workflows" retry={() => void asked.refetch()} />
        ) : asked.data === undefined ? (
          <Skeleton rows={8} />
        ) : asked.data.total === 0 ? (
          <Nothing isFiltered={isFiltered} />
        ) : (
          <>
            <WorkflowTable workflows={asked.data.workflows} isOld={asked.isPlaceholderData} />
            {asked.data.total > pageSize && (
              <Pager
                total={asked.data.total}
                offset={search.offset ?? 0}
                size={pageSize}
                onGo={(offset) =>
                  void navigate({
                    search: { ...withoutPage(search), ...(offset !== undefined && { offset }) },
                  })
                }
              />
            )}
          </>
        )}
        <div className="row g4 mt4">
          <CopyAsCall operation="survey_workflows" input={search} />
        </div>
      </div>
    </Page>
  );
}

const withoutPage = ({ offset: _offset, ...rest }: WorkflowsSearch): WorkflowsSearch => rest;

/** It is made at once and opened: a draft runs for nobody. */
function NewWorkflow({ atOnce }: { readonly atOnce: boolean }) {
  const org = useOrg();
  const navigate = useNavigate();
  const make = useAct('create_workflow', ['survey_workflows', 'list_workflows']);
  const whyNot = useWhyNot()('create_workflow');
  const begin = async (): Promise<void> => {
    const { workflow } = await make.mutateAsync({ name: 'New workflow' });
    await navigate({
      to: '/o/$org/workflows/$workflow',
      params: { org, workflow: workflow.id },
      replace: atOnce,
    });
  };
  // The New menu and the palette lead here to make one, and the address must not make another when it is read again.
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!atOnce || whyNot !== undefined || hasBegun.current) return;
    hasBegun.current = true;
    void begin().catch(() => undefined);
  });
  return (
    <>
      {make.error !== null && (
        <p className="err" role="alert">
          <Icon name="bad" small />
          {make.error.message}
        </p>
      )}
      <Button
        kind="primary"
        unless={whyNot}
        busy={make.isPending && 'Making'}
        onClick={() => void begin().catch(() => undefined)}
      >
        New workflow
      </Button>
    </>
  );
}

const states: readonly (readonly [words: string, search: WorkflowsSearch])[] = [
  ['All', {}],
  ['Drafts', { status: 'draft' }],
  ['Live', { status: 'live' }],
  ['Live, changed', { status: 'live', has_unpublished_changes: true }],
  ['Off', { status: 'paused' }],
];

function States({
  search: { status, has_unpublished_changes, query },
}: {
  readonly search: WorkflowsSearch;
}) {
  const org = useOrg();
  return (
    <nav className="seg scrolls" aria-label="States">
      {states.map(([words, choice]) => (
        <Link
          key={words}
          to="/o/$org/workflows"
          params={{ org }}
          search={{ ...choice, ...(query !== undefined && { query }) }}
          activeOptions={{ exact: true }}
          aria-current={
            choice.status === status && choice.has_unpublished_changes === has_unpublished_changes
              ? 'page'
              : undefined
          }
        >
          {words}
        </Link>
      ))}
    </nav>
  );
}

const pauseMs = 250;

/** Finds by part of the name, once typing pauses. */
function Find({ search }: { readonly search: WorkflowsSearch }) {
  const navigate = useNavigate({ from: '/o/$org/workflows' });
  const [typed, setTyped] = useState(search.query ?? '');
  const { query: _query, ...others } = withoutPage(search);
  useEffect(() => {
    if (typed.trim() === (search.query ?? '')) return undefined;
    const waiting = setTimeout(
      () =>
        void navigate({
          search: { ...others, ...(typed.trim() !== '' && { query: typed.trim() }) },
          replace: true,
        }),
      pauseMs,
    );
    return () => clearTimeout(waiting);
  });
  return (
    <span className="end find">
      <Input
        type="search"
        size="s"
        aria-label="Find a workflow"
        placeholder="Find by name"
        value={typed}
        maxLength={200}
        onChange={({ target: { value } }) => setTyped(value)}
      />
    </span>
  );
}

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Blank icon="search" title="None is like this">
      No workflow matches what the address asks for. Choose All to see the others.
    </Blank>
  ) : (
    <Blank icon="workflow" title="There are no workflows yet">
      A workflow writes to each person in their own time: when they register, a day before the start, after
      the end. It runs for nobody until it is published.
    </Blank>
  );
