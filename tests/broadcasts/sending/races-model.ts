/** A broadcast as one change after another would leave it; what happens at once must be explained by some such order. */

/** What is asked of the broadcast. `plan` names a plan of the round, `revision` the scheduling an alarm belongs to. */
export type Ask =
  | { readonly kind: 'plan'; readonly plan: number }
  | { readonly kind: 'schedule'; readonly plan: number }
  | { readonly kind: 'unschedule' }
  | { readonly kind: 'patch' }
  | { readonly kind: 'delete' }
  | { readonly kind: 'start'; readonly revision: number; readonly when: 'early' | 'due' | 'late' };

/** What was asked, from when to when, and the answer: `ok`, what the alarm found, or the code of the refusal. */
export interface Call {
  readonly ask: Ask;
  readonly answer: string;
  readonly from: number;
  readonly to: number;
}

export interface State {
  readonly status: string;
  readonly revision: number;
  /** The revision that each plan was made of. */
  readonly plans: Readonly<Record<number, number>>;
}

/** How it answers in that state, and the state after it. */
export function apply(state: State, ask: Ask): readonly [answer: string, after: State] {
  if (ask.kind === 'start') return ring(state, ask);
  const { status, revision } = state;
  if (status === 'gone') return ['not_found', state];
  if (ask.kind === 'delete') {
    return status === 'sending' ? ['sending_begun', state] : ['ok', { ...state, status: 'gone' }];
  }
  const moved = (to: string): State => ({ ...state, status: to, revision: revision + 1 });
  if (status === 'sending') return ['sending_begun', state];
  if (ask.kind === 'unschedule') {
    return status === 'draft' ? ['not_scheduled', state] : ['ok', moved('draft')];
  }
  if (status === 'error') return ['failed_to_begin', state];
  if (status === 'scheduled') return ['broadcast_scheduled', state];
  if (ask.kind === 'patch') return ['ok', moved('draft')];
  if (ask.kind === 'plan') return ['ok', { ...state, plans: { ...state.plans, [ask.plan]: revision } }];
  return state.plans[ask.plan] === revision ? ['ok', moved('scheduled')] : ['plan_stale', state];
}

function ring(state: State, { revision, when }: Ask & { kind: 'start' }): readonly [string, State] {
  if (state.status !== 'scheduled' || state.revision !== revision) return ['moved_on', state];
  if (when === 'early') return ['early', state];
  const status = when === 'due' ? 'sending' : 'error';
  return [when === 'due' ? 'began' : 'failed', { ...state, status, revision: revision + 1 }];
}

/**
 * Whether there is an order of the calls in which each is answered as it was and that ends as it ended. A call that
 * was answered before another was sent comes before it.
 */
export function explains(start: State, calls: readonly Call[], end: Omit<State, 'plans'>): boolean {
  const all = (1 << calls.length) - 1;
  const tried = new Set<string>();
  const search = (done: number, state: State): boolean => {
    if (done === all)
      return state.status === end.status && (end.status === 'gone' || state.revision === end.revision);
    const key = `${done} ${JSON.stringify(state)}`;
    if (tried.has(key)) return false;
    tried.add(key);
    const left = calls.filter((_, at) => (done & (1 << at)) === 0);
    const firstAnswered = Math.min(...left.map(({ to }) => to));
    return calls.some((call, at) => {
      if ((done & (1 << at)) !== 0 || call.from > firstAnswered) return false;
      const [answer, after] = apply(state, call.ask);
      return answer === call.answer && search(done | (1 << at), after);
    });
  };
  return search(0, start);
}
