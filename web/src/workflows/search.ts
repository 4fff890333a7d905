export interface WorkflowsSearch {
  readonly status?: 'draft' | 'live' | 'paused';
  readonly has_unpublished_changes?: true;
  readonly query?: string;
  readonly offset?: number;
  /** Begins a new one. */
  readonly make?: true;
}

/** What the list is narrowed by stands in the address. */
export const readWorkflowsSearch = ({
  status,
  has_unpublished_changes,
  query,
  offset,
  make,
}: Record<string, unknown>): WorkflowsSearch => ({
  ...((status === 'draft' || status === 'live' || status === 'paused') && { status }),
  ...(has_unpublished_changes === true && { has_unpublished_changes }),
  ...(['string', 'number'].includes(typeof query) && query !== '' && { query: String(query) }),
  ...(typeof offset === 'number' && { offset }),
  ...(make === true && { make }),
});

export const views = ['canvas', 'list', 'runs', 'travel'] as const;
export type View = (typeof views)[number];

export interface WorkflowSearch {
  readonly view?: View;
  /** The step that is open beside the graph; `trigger` for the trigger. */
  readonly step?: string;
  /** With `step`: the way out of it, by its field, where a new step is being chosen. */
  readonly add?: string;
  /** The run whose path is shown, in the view of runs. */
  readonly run?: string;
  /** Whose runs are listed: those who wait at a node, in a state, of one person. */
  readonly node?: string;
  readonly state?: 'running' | 'ended';
  readonly person?: string;
  readonly offset?: number;
}

export const readWorkflowSearch = ({
  view,
  state,
  offset,
  ...rest
}: Record<string, unknown>): WorkflowSearch => ({
  ...(views.some((one) => one === view) && { view: view as View }),
  ...((state === 'running' || state === 'ended') && { state }),
  ...(typeof offset === 'number' && { offset }),
  ...Object.fromEntries(
    (['step', 'add', 'run', 'node', 'person'] as const).flatMap((name) =>
      typeof rest[name] === 'string' ? [[name, rest[name]]] : [],
    ),
  ),
});
