import { useNavigate } from '@tanstack/react-router';
import {
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react';
import { Icon } from '../ui/icon.tsx';
import { useFound, type Found } from './palette-finds.ts';
import './palette.css';

/** Finds people, segments and pages, and begins what can be begun. */
export function Palette({ isSmall = false }: { readonly isSmall?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isSmall) return undefined;
    const listen = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [isSmall]);
  return (
    <>
      <button
        type="button"
        className={isSmall ? 'btn ghost' : 'search'}
        aria-label={isSmall ? 'Find' : undefined}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <Icon name="search" small={!isSmall} />
        {!isSmall && (
          <>
            <span className="grow">Find or do anything</span>
            <span className="kbd">⌘K</span>
          </>
        )}
      </button>
      {isOpen && <Shown onClose={() => setOpen(false)} />}
    </>
  );
}

/** The browser's own dialog, as it must be there before the next key: whoever opens it types on. */
function Shown({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close(); // which gives the focus back
  }, []);
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Find or do anything"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <Choices onChosen={onClose} />
    </dialog>
  );
}

function Choices({ onChosen }: { readonly onChosen: () => void }) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const list = useId();
  const found = useFound(useDeferredValue(typed.trim()));
  const current = found[Math.min(at, found.length - 1)];
  const choose = (choice: Found): void => {
    if (choice.unless !== undefined) return;
    onChosen();
    void navigate({ to: choice.to });
  };
  const move = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && current !== undefined) choose(current);
    else if (event.key === 'ArrowDown') setAt(Math.min(at + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="asked">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={current === undefined ? undefined : `${list}-${current.id}`}
          aria-label="Find or do anything"
          placeholder="A person's address, a segment, a page"
          value={typed}
          onKeyDown={move}
          onChange={(event) => {
            setTyped(event.target.value);
            setAt(0);
          }}
        />
      </div>
      <div id={list} role="listbox" aria-label="Found" className="found">
        {found.map((choice, place) => (
          <div key={choice.id}>
            {choice.group !== found[place - 1]?.group && (
              <p className="grp" role="presentation">
                {choice.group}
              </p>
            )}
            <div
              id={`${list}-${choice.id}`}
              role="option"
              aria-selected={choice === current}
              aria-disabled={choice.unless === undefined ? undefined : true}
              className={choice === current ? 'choice on' : 'choice'}
              onClick={() => choose(choice)}
              onMouseMove={() => setAt(place)}
            >
              <Icon name={choice.icon} />
              <span className="ellipsis">{choice.label}</span>
              <span className="end hint ellipsis">{choice.beside}</span>
            </div>
          </div>
        ))}
        {found.length === 0 && <p className="none muted">Nothing is called that.</p>}
      </div>
    </>
  );
}
