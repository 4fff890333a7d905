import type { ReactNode } from 'react';
import { count } from '../format/number.ts';
import { Icon } from '../ui/icon.tsx';

interface ShareProps {
  readonly parts: readonly (readonly [label: string, count: number, color: string])[];
  readonly all: number;
  readonly children?: ReactNode;
}

/** The bar: every row accounted for, with the sum beside it. */
export function Share({ parts, all, children }: ShareProps) {
  const shown = parts.filter(([, some]) => some > 0);
  const isWhole = parts.reduce((sum, [, some]) => sum + some, 0) === all;
  return (
    <>
      <div className="bar" aria-hidden="true">
        {shown.map(([label, some, color]) => (
          <span key={label} style={{ flexGrow: some, background: color }} />
        ))}
      </div>
      <div className="row wrap g4 mt3">
        {parts.map(([label, some, color]) => (
          <span key={label} className="row">
            <span className="swatch" style={{ background: color }} />
            <span>
              <span className="medium">{count(some)}</span> {label}
            </span>
          </span>
        ))}
        {isWhole ? (
          <span className="pill sent">
            <Icon name="tick" />
            Adds up
          </span>
        ) : (
          <span className="pill failed">
            <Icon name="bad" />
            Does not add up to {count(all)}
          </span>
        )}
        <span className="end">{children}</span>
      </div>
    </>
  );
}
