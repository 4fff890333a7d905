import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import './rail.css';

interface RailProps {
  readonly icon: IconName;
  readonly kind: string;
  readonly title: string;
  /** Whether somebody opened it, who goes on in it. */
  readonly takesFocus: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Beside the graph or the list. Whoever opens it is back where they were when it closes. */
export function Rail({ icon, kind, title, takesFocus, onClose, children }: RailProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const focuses = useRef(takesFocus);
  useEffect(() => {
    if (focuses.current) heading.current?.focus();
  }, []);
  return (
    <aside
      className="wr"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        // Menus and dialogs lie elsewhere in the page, but their keys come through here.
        if (event.target instanceof Element && event.currentTarget.contains(event.target)) onClose();
      }}
    >
      <section>
        <div className="row">
          <span className="hint row g1">
            <Icon name={icon} small />
            {kind}
          </span>
          <span className="end">
            <Button kind="ghost" size="s" icon="close" aria-label="Close" onClick={onClose} />
          </span>
        </div>
        <h2 className="st2 mt1" ref={heading} tabIndex={-1}>
          {title}
        </h2>
      </section>
      {children}
    </aside>
  );
}
