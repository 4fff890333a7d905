import type { z } from 'zod';
import type { People } from '../../database/tables.generated.ts';

/** What a merge makes of a column of two people. The SQL of each rule is in people/merge/merge-fields.ts. */
export type MergeRule =
  | 'survivor'
  | 'survivor unless empty'
  | 'latest'
  | 'engagement of both'
  | 'members of both'
  | 'with the livelier subscription'
  | 'from the identifiers'
  | 'time of the merge';

/** What callers may write by identifying, updating, importing and registering a person. */
export interface Written {
  readonly input: z.ZodString;
  /** For imports: what a column takes, the name of a cell that does not fit, and the headings of such columns. */
  readonly takes: string;
  readonly misfit: string;
  readonly headers: readonly string[];
  /** Whether a cell that fits is likely to be meant: an address would be a valid name, too. */
  readonly looksLike: (text: string) => boolean;
}

interface Parts {
  readonly column: keyof People;
  /** In forms and in the list of variables. */
  readonly label: string;
  readonly control: 'text' | 'email' | 'phone' | 'select' | 'number' | 'money' | 'moment';
  /** In the reference; null where the words of every `created_at` will do. */
  readonly words: string | null;
  readonly shown: 'summary' | 'record' | 'nowhere';
  readonly output: z.ZodType;
  /** No person is without it: the column is not null. */
  readonly everybodyHas: boolean;
  /** As which kind segments filter by it, under `filterName` if the specification calls it otherwise there. */
  readonly filter: 'number' | 'date' | 'text' | 'fixed' | null;
  readonly filterName?: string;
  /** How list_people filters by it: `by hand` is written out in list-people.ts and filter-people.ts. */
  readonly listFilter: 'value' | 'bounds' | 'by hand' | null;
  /** What messages can read of it, with an example; a name is repaired part by part. */
  readonly variable: { readonly example: string; readonly part?: 'given' | 'family' } | null;
  readonly merge: MergeRule;
  /** SQL over the columns of a made-up person: see main/seed-people.ts. */
  readonly demonstration: string | null;
}

type Kind =
  | { readonly kind: 'text'; readonly written: Written | null }
  | { readonly kind: 'choice'; readonly values: readonly string[]; readonly written: null }
  | { readonly kind: 'number' | 'money' | 'score' | 'moment'; readonly written: null };

/** A list is sorted by reading an index, so there is no sorting without one. */
type Reading =
  | { readonly sorted: true; readonly index: `people_by_${string}` }
  | { readonly sorted: false; readonly index: `people_by_${string}` | null };

/** Everything the service has to know of a built-in field. */
export type PersonField = Parts & Kind & Reading;
