import { count } from '../format/number.ts';
import { Button } from '../ui/button.tsx';
import { pageSize } from './use-people.ts';

interface PagerProps {
  readonly total: number;
  readonly offset: number;
  readonly onGo: (offset: number | undefined) => void;
}

export function Pager({ total, offset, onGo }: PagerProps) {
  const isFirst = offset === 0;
  const isLast = offset + pageSize >= total;
  return (
    <nav className="pager" aria-label="Pages">
      <span>
        {count(offset + 1)}–{count(Math.min(offset + pageSize, total))} of {count(total)}
      </span>
      <span className="end row">
        <Button
          size="s"
          icon="left"
          aria-label="Previous page"
          unless={isFirst && 'This is the first page.'}
          onClick={() => onGo(Math.max(0, offset - pageSize) || undefined)}
        />
        <Button
          size="s"
          icon="right"
          aria-label="Next page"
          unless={isLast && 'This is the last page.'}
          onClick={() => onGo(offset + pageSize)}
        />
      </span>
    </nav>
  );
}
