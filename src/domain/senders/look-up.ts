/** The answer of the name servers for one name. */
export type Answer =
  | { readonly kind: 'found'; readonly values: readonly string[] }
  /** The name does not exist, or has no record of this type. */
  | { readonly kind: 'nothing' }
  /** Unknown: no answer in time, or a server that failed or refused. */
  | { readonly kind: 'unreachable'; readonly reason: string };

/** Asks DNS. Never rejects: an error is an answer too. */
export interface LookUp {
  /** Each record as one text, its chunks joined. */
  txt(host: string): Promise<Answer>;
  cname(host: string): Promise<Answer>;
}
