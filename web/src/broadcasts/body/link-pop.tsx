import type { Editor } from '@tiptap/core';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, Input, Select } from '../../ui/field.tsx';
import type { Source, Variables } from '../variables.ts';
import { linkNameOf } from './document.ts';
import { Pop } from './pop.tsx';
import { isLink } from './read-inline.ts';
import type { Define } from './use-editor.ts';

interface LinkPopProps {
  readonly editor: Editor;
  readonly sources: readonly Source[];
  readonly definitions: Variables;
  readonly define: Define;
  readonly onClose: () => void;
}

/** Where a link leads: to one address, or to one that each person has. */
export function LinkPop({ editor, sources, definitions, define, onClose }: LinkPopProps) {
  const { href, isButton: wasButton } = editor.getAttributes('link') as { href?: string; isButton?: boolean };
  const readBefore = definitions[linkNameOf(href ?? '') ?? '']?.variable;
  const [address, setAddress] = useState(readBefore === undefined ? (href ?? 'https://') : '');
  const [path, setPath] = useState(readBefore ?? '');
  const [isButton, setButton] = useState(wasButton === true);
  const [isWrong, setWrong] = useState(false);
  const put = (): void => {
    const source = sources.find(({ variable }) => variable === path);
    const to = source === undefined ? address.trim() : define.link(source);
    if (!isLink(to)) {
      setWrong(true);
      return;
    }
    const mark = { type: 'link', attrs: { href: to, isButton } };
    const chain = editor.chain().focus().extendMarkRange('link');
    if (editor.state.selection.empty && href === undefined)
      chain.insertContent({ type: 'text', text: source?.label ?? to, marks: [mark] }).run();
    else chain.setMark('link', mark.attrs).run();
    onClose();
  };
  return (
    <Pop editor={editor} title="Link" takesFocus onClose={onClose}>
      <form
        className="col mt2"
        onSubmit={(event) => {
          event.preventDefault();
          put();
        }}
      >
        {path === '' && (
          <Field
            label="Address"
            error={isWrong ? 'A link begins with https://, http://, mailto: or tel:.' : undefined}
          >
            {(ids) => (
              <Input {...ids} size="s" value={address} onChange={(event) => setAddress(event.target.value)} />
            )}
          </Field>
        )}
        <Field label="Or the address that each person has">
          {(ids) => (
            <Select
              {...ids}
              size="s"
              value={path}
              onChange={(event) => setPath(event.target.value)}
              choices={[
                ['', 'The same for all'],
                ...sources
                  .filter(
                    ({ type, group }) => type === 'url' || (type === 'text' && group === 'custom_properties'),
                  )
                  .map(({ variable, label }) => [variable, label] as const),
              ]}
            />
          )}
        </Field>
        <Checkbox
          label="Show it as a button"
          checked={isButton}
          onChange={(event) => setButton(event.target.checked)}
        />
        <div className="row">
          <Button kind="primary" size="s" type="submit">
            {href === undefined ? 'Put the link' : 'Change the link'}
          </Button>
          {href !== undefined && (
            <Button
              kind="ghost"
              size="s"
              onClick={() => {
                editor.chain().focus().extendMarkRange('link').unsetMark('link').run();
                onClose();
              }}
            >
              Take it away
            </Button>
          )}
        </div>
      </form>
    </Pop>
  );
}
