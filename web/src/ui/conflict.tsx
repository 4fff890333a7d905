import { useLocation } from '@tanstack/react-router';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface ConflictProps {
  /** What both edited. */
  readonly thing: string;
  readonly onOverwrite: () => void;
}

/** Of two who edited at once, the second is asked. */
export function Conflict({ thing, onOverwrite }: ConflictProps) {
  const { pathname } = useLocation();
  return (
    <div className="note warn" role="alert">
      <Icon name="warning" />
      <div className="grow">
        <b>Somebody else changed this {thing} meanwhile.</b> What you changed since is still here and is not
        saved.
        <div className="row wrap mt2">
          <Button size="s" onClick={onOverwrite}>
            Save mine over it
          </Button>
          <a className="btn secondary s" href={pathname}>
            Drop mine and read theirs
          </a>
        </div>
      </div>
    </div>
  );
}
