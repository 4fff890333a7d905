import type { Editor } from '@tiptap/core';
import { Icon, type IconName } from '../../ui/icon.tsx';

export type Opened = 'link' | 'image' | 'variable';

interface ToolbarProps {
  readonly editor: Editor;
  readonly opened: Opened | undefined;
  readonly onOpen: (which: Opened) => void;
}

const levels = [1, 2, 3] as const;

export function Toolbar({ editor, opened, onOpen }: ToolbarProps) {
  const level = levels.find((one) => editor.isActive('heading', { level: one }));
  const act = () => editor.chain().focus();
  return (
    <div className="tbar" role="toolbar" aria-label="Format">
      <select
        className="tb w"
        aria-label="Kind of paragraph"
        value={level ?? 'p'}
        onChange={({ target: { value } }) =>
          value === 'p'
            ? act().setNode('paragraph').run()
            : act()
                .setNode('heading', { level: Number(value) })
                .run()
        }
      >
        <option value="p">Paragraph</option>
        {levels.map((one) => (
          <option key={one} value={one}>
            Heading {one}
          </option>
        ))}
      </select>
      <span className="sp" />
      <Tool
        icon="bold"
        label="Bold"
        on={editor.isActive('bold')}
        act={() => act().toggleMark('bold').run()}
      />
      <Tool
        icon="italic"
        label="Italic"
        on={editor.isActive('italic')}
        act={() => act().toggleMark('italic').run()}
      />
      <Tool
        icon="link"
        label="Link"
        on={editor.isActive('link') || opened === 'link'}
        act={() => onOpen('link')}
      />
      <span className="sp" />
      <Tool
        icon="bullets"
        label="Bulleted list"
        on={editor.isActive('bulletList')}
        act={() => act().toggleList('bulletList', 'listItem').run()}
      />
      <Tool
        icon="numbers"
        label="Numbered list"
        on={editor.isActive('orderedList')}
        act={() => act().toggleList('orderedList', 'listItem').run()}
      />
      <span className="sp" />
      <Tool icon="image" label="Image" on={opened === 'image'} act={() => onOpen('image')} />
      <Tool icon="line" label="Line" on={false} act={() => act().setHorizontalRule().run()} />
      <span className="sp" />
      <button
        type="button"
        className="tb w on"
        aria-expanded={opened === 'variable'}
        onClick={() => onOpen('variable')}
      >
        <Icon name="braces" />
        Variable
      </button>
      <span className="end row g0">
        <Tool icon="undo" label="Undo" on={false} act={() => act().undo().run()} />
        <Tool icon="redo" label="Redo" on={false} act={() => act().redo().run()} />
      </span>
    </div>
  );
}

interface ToolProps {
  readonly icon: IconName;
  readonly label: string;
  readonly on: boolean;
  readonly act: () => void;
}

const Tool = ({ icon, label, on, act }: ToolProps) => (
  <button
    type="button"
    className={on ? 'tb on' : 'tb'}
    aria-label={label}
    aria-pressed={on}
    // The selection stays in the text.
    onMouseDown={(event) => event.preventDefault()}
    onClick={act}
  >
    <Icon name={icon} />
  </button>
);
