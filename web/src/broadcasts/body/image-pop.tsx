import type { Editor } from '@tiptap/core';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Pop } from './pop.tsx';
import { isImageAddress } from './read-inline.ts';

/** A picture by its address: it stays where it is, and readers' programs fetch it from there. */
export function ImagePop({ editor, onClose }: { readonly editor: Editor; readonly onClose: () => void }) {
  const there = editor.isActive('image') ? editor.getAttributes('image') : {};
  const [src, setSrc] = useState(String(there['src'] ?? 'https://'));
  const [alt, setAlt] = useState(String(there['alt'] ?? ''));
  const [width, setWidth] = useState(String(there['width'] ?? ''));
  const [isWrong, setWrong] = useState(false);
  return (
    <Pop editor={editor} title="Image" takesFocus onClose={onClose}>
      <form
        className="col mt2"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isImageAddress(src.trim())) {
            setWrong(true);
            return;
          }
          const size = Number(width);
          const attrs = {
            ...there,
            src: src.trim(),
            alt,
            width: size > 0 ? Math.min(2_000, Math.round(size)) : null,
          };
          editor.chain().focus().insertContent({ type: 'image', attrs }).run();
          onClose();
        }}
      >
        <Field label="Address" error={isWrong ? 'The address of an image begins with https://.' : undefined}>
          {(ids) => <Input {...ids} size="s" value={src} onChange={(event) => setSrc(event.target.value)} />}
        </Field>
        <Field label="What it shows" hint="Read out, and shown while pictures are switched off.">
          {(ids) => <Input {...ids} size="s" value={alt} onChange={(event) => setAlt(event.target.value)} />}
        </Field>
        <Field label="Width in pixels">
          {(ids) => (
            <Input
              {...ids}
              size="s"
              inputMode="numeric"
              value={width}
              onChange={(event) => setWidth(event.target.value)}
            />
          )}
        </Field>
        <Button kind="primary" size="s" type="submit">
          Put the image
        </Button>
      </form>
    </Pop>
  );
}
