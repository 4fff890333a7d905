import type { IdentifierType } from '../identifiers/identifier.ts';

export interface SentIdentifier {
  readonly type: IdentifierType;
  readonly value: string;
}

export interface SentNames {
  readonly first_name: string | null;
  readonly last_name: string | null;
}
