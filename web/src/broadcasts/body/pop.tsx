import type { Editor } from '@tiptap/core';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';

interface PopProps {
  readonly editor: Editor;
  readonly title: string;
  readonly beside?: string;
  readonly takesFocus?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

const width = 300;

/** A small form beside what it is about in the text. */
export function Pop({ editor, title, beside, takesFocus = false, onClose, children }: PopProps) {
  const box = useRef<HTMLDivElement>(null);
  const { from } = editor.state.selection;
  useLayoutEffect(() => {
    const around = box.current?.parentElement?.getBoundingClientRect();
    if (box.current === null || around === undefined) return;
    const at = editor.view.coordsAtPos(Math.min(from, editor.state.doc.content.size));
    box.current.style.top = `${at.bottom - around.top + 8}px`;
    box.current.style.left = `${Math.max(8, Math.min(at.left - around.left, around.width - width - 8))}px`;
  }, [editor, from]);
  useLayoutEffect(() => {
    if (takesFocus) box.current?.querySelector<HTMLElement>('input, select')?.focus();
  }, [takesFocus]);
  return (
    <div
      className="pop"
      ref={box}
      role="group"
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className="row">
        <b className="strong ellipsis">{title}</b>
        {beside !== undefined && <span className="hint mono ellipsis">{beside}</span>}
        <span className="end">
          <Button kind="ghost" size="s" icon="close" aria-label="Close" onClick={onClose} />
        </span>
      </div>
      {children}
    </div>
  );
}
