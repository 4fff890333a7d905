import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useOrg } from '../call/use-call.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { useKeys } from './keys.ts';
import { useWhyNot } from './me.ts';
import { newThings } from './new-things.ts';

/** Begins whatever can be made. What somebody may not make is there, with the reason. */
export function NewMenu() {
  const org = useOrg();
  const navigate = useNavigate();
  const whyNot = useWhyNot();
  const [isOpen, setOpen] = useState(false);
  const things = newThings(org);
  const isAny = things.some(({ operation }) => whyNot(operation) === undefined);
  useKeys({ c: isAny ? () => setOpen(true) : undefined });
  return (
    <Menu
      align="end"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="s" icon="plus">
          New
        </Button>
      }
    >
      {things.map(({ label, icon, operation, to }) => (
        <MenuItem
          key={label}
          icon={icon}
          disabled={whyNot(operation) !== undefined}
          title={whyNot(operation)}
          onClick={() => void navigate({ to })}
        >
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}
