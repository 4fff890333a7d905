import { useRef } from 'react';
import { Menu, MenuGroup, MenuItem } from '../ui/menu.tsx';
import { Icon } from '../ui/icon.tsx';
import { placeholder } from './body/document.ts';
import { DefinitionFields } from './definition-fields.tsx';
import {
  groupWords,
  labelOf,
  nameFor,
  type Coverage,
  type Definition,
  type Source,
  type Variables,
} from './variables.ts';

interface TextBodyProps {
  readonly text: string;
  readonly variables: Variables;
  readonly sources: readonly Source[];
  readonly coverage: readonly Coverage[];
  readonly isLocked: boolean;
  readonly onChange: (text: string, variables: Variables) => void;
}

const namesOf = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(placeholder)].map(([, name = '']) => name)),
];

/** A text is plain: placeholders stand in it as they are. What it takes is counted by the service, in the preview. */
export function TextBody({ text, variables, sources, coverage, isLocked, onChange }: TextBodyProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const write = (written: string, known: Variables): void =>
    onChange(
      written,
      Object.fromEntries(
        namesOf(written).flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])),
      ),
    );
  const insert = (source: Source): void => {
    const name = nameFor(source, variables, 'var');
    const at = box.current?.selectionStart ?? text.length;
    write(`${text.slice(0, at)}{{${name}}}${text.slice(at)}`, {
      ...variables,
      [name]: variables[name] ?? { variable: source.variable },
    });
  };
  return (
    <>
      {!isLocked && (
        <div className="tbar" role="toolbar" aria-label="Text">
          <Menu
            trigger={
              <button type="button" className="tb w on">
                <Icon name="braces" />
                Variable
              </button>
            }
          >
            {Object.entries(groupWords).map(([group, label]) => (
              <MenuGroup key={group} label={label}>
                {sources
                  .filter((source) => source.group === group)
                  .map((source) => (
                    <MenuItem key={source.variable} onClick={() => insert(source)}>
                      {source.label}
                    </MenuItem>
                  ))}
              </MenuGroup>
            ))}
          </Menu>
        </div>
      )}
      <textarea
        ref={box}
        className="textbody"
        aria-label="Text message"
        rows={6}
        maxLength={2_000}
        readOnly={isLocked}
        value={text}
        onChange={(event) => write(event.target.value, variables)}
      />
      {namesOf(text).map((name) => (
        <details key={name} className="used">
          <summary>
            <span className="chip">{labelOf(name, variables, sources)}</span>{' '}
            <span className="hint mono">{name}</span>
          </summary>
          <DefinitionFields
            definition={variables[name]}
            sources={sources}
            coverage={coverage.find((one) => one.name === name)}
            onChange={(definition: Definition) => write(text, { ...variables, [name]: definition })}
          />
        </details>
      ))}
    </>
  );
}
