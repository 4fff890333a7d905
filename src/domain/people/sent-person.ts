import type { SentIdentifier } from '../identifiers/compare-identifiers.ts';
import type { PropertyChanges } from '../properties/request-changes.ts';

export type { SentIdentifier };

export interface SentNames {
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** What one call to identify_person would say of somebody; opting out is what only a list can say. */
export interface PersonSent {
  /** In lookup order, each once, at least one. */
  readonly identifiers: readonly SentIdentifier[];
  readonly names: SentNames;
  readonly values: PropertyChanges;
  readonly optsOut: boolean;
}
