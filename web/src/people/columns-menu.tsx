import { Button } from '../ui/button.tsx';
import { Menu, MenuTick } from '../ui/menu.tsx';
import { addressOf, columns, columnsOf } from './columns.tsx';
import type { ChangeSearch } from './use-people.ts';

interface ColumnsMenuProps {
  readonly shown: string | undefined;
  readonly onChange: ChangeSearch;
}

/** Which columns stand beside the names. */
export function ColumnsMenu({ shown, onChange }: ColumnsMenuProps) {
  const names = columnsOf(shown).map(({ name }) => name);
  return (
    <Menu
      align="end"
      trigger={
        <Button kind="ghost" size="s" icon="settings">
          Columns
        </Button>
      }
    >
      {columns.map(({ name, label }) => (
        <MenuTick
          key={name}
          checked={names.includes(name)}
          onChange={(isOn) =>
            onChange((old) => {
              const others = columnsOf(old.columns)
                .map((column) => column.name)
                .filter((one) => one !== name);
              return { columns: addressOf(isOn ? [...others, name] : others) };
            })
          }
        >
          {label}
        </MenuTick>
      ))}
    </Menu>
  );
}
