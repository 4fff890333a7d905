/** What the name servers said of one name. */
export type Answer =
  | { readonly kind: 'found'; readonly values: readonly string[] }
  /** The name is not there, or has no record of this type. */
  | { readonly kind: 'nothing' }
  /** Nobody could say: no answer in time, or a server that failed or refused. */
  | { readonly kind: 'unreachable'; readonly reason: string };

/** Asks DNS. It never rejects: what went wrong is an answer too. */
export interface LookUp {
  /** Each record as one text, its chunks joined. */
  txt(host: string): Promise<Answer>;
  cname(host: string): Promise<Answer>;
}
