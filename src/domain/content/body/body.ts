/**
 * A piece of what is sent. Literal text is a string and safe as it stands; `text` names a placeholder (`var_x`) and
 * `link` one (`link_var_x`) that stands for a whole href attribute, so that a bad value takes the attribute with it.
 */
export type Piece = string | { readonly text: string } | { readonly link: string };
export type Compiled = readonly Piece[];

/** A piece of a body whose links have numbers. `href` is a whole attribute, as `link` is, and `written` what it was. */
export type TrackedPiece =
  | Piece
  | { readonly href: number; readonly written: string }
  | {
      readonly link: string;
      readonly number: number;
      /** What is after the link in its tag, and what is after that if the link may be sent. */
      readonly rest?: string;
      readonly style?: string;
    };
export type TrackedPieces = readonly TrackedPiece[];

/** A body that may be sent. It is stored as JSON when the body is accepted, and never made again from the source. */
export interface CheckedBody {
  /** The HTML to send; of a text broadcast, the text. */
  readonly pieces: Compiled;
  /** The same as plain text. */
  readonly plain: Compiled;
  /** Each once, in order of appearance. */
  readonly placeholders: readonly string[];
  /** How many links are http: rather than https:. */
  readonly insecureLinks: number;
}

/** What is wrong with a body, and where. Lines and columns count from 1, columns in characters: an emoji is one. */
export interface Finding {
  readonly code: string;
  readonly detail: string;
  readonly line: number;
  readonly column: number;
}

/** Findings are at least one and at most 20, in order of place. */
export type BodyCheck = { readonly body: CheckedBody } | { readonly findings: readonly Finding[] };
