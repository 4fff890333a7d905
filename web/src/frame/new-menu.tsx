import { useNavigate } from '@tanstack/react-router';
import { useOrg } from '../call/use-call.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { useNewBroadcast } from '../broadcasts/use-new-broadcast.ts';
import { useToast } from '../ui/toast.tsx';
import { useKeys } from './keys.ts';
import { useWhyNot } from './me.ts';
import { newThings } from './new-things.ts';

/** Begins whatever can be made. What somebody may not make is there, with the reason. */
export function NewMenu() {
  const org = useOrg();
  const navigate = useNavigate();
  const whyNot = useWhyNot();
  const toast = useToast();
  const { begin } = useNewBroadcast();
  const whyNoBroadcast = whyNot('create_broadcast');
  const write = (): void => void begin().catch((error: Error) => toast(error.message));
  useKeys({ c: whyNoBroadcast === undefined ? write : undefined });
  return (
    <Menu
      align="end"
      trigger={
        <Button size="s" icon="plus">
          New
        </Button>
      }
    >
      <MenuItem icon="mail" disabled={whyNoBroadcast !== undefined} title={whyNoBroadcast} onClick={write}>
        Broadcast <span className="end kbd">C</span>
      </MenuItem>
      {newThings(org).map(({ label, icon, operation, to }) => (
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
