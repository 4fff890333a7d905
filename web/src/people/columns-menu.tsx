import { Button } from '../ui/button.tsx';
import { Menu, MenuTick } from '../ui/menu.tsx';
import { addressOf, columns, columnsOf } from './columns.tsx';

interface ColumnsMenuProps {
  readonly shown: string | undefined;
  readonly onChange: (columns: string | undefined) => void;
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
            onChange(addressOf(isOn ? [...names, name] : names.filter((one) => one !== name)))
          }
        >
          {label}
        </MenuTick>
      ))}
    </Menu>
  );
}
