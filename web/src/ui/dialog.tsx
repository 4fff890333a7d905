import { Dialog as Base } from '@base-ui/react/dialog';
import { useState, type ReactNode } from 'react';
import './floating.css';

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** Asks; the button answers with the same verb. */
  readonly title: string;
  readonly children: ReactNode;
  readonly footer: ReactNode;
  readonly isWide?: boolean;
}

/** Nothing of it is made before it is opened for the first time: most never are. */
export function Dialog(props: DialogProps) {
  const [isMade, setMade] = useState(props.open);
  if (props.open && !isMade) setMade(true);
  return isMade ? <Made {...props} /> : null;
}

const Made = ({ open, onClose, title, children, footer, isWide = false }: DialogProps) => (
  <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
    <Base.Portal>
      <Base.Backdrop className="scrim" />
      <Base.Viewport className="scrim clear">
        <Base.Popup className={isWide ? 'dialog wide' : 'dialog'}>
          <header>
            <Base.Title render={<h2 />}>{title}</Base.Title>
          </header>
          <div className="body">{children}</div>
          <footer>{footer}</footer>
        </Base.Popup>
      </Base.Viewport>
    </Base.Portal>
  </Base.Root>
);
