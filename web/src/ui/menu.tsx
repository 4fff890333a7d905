import { Menu as Base } from '@base-ui/react/menu';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import './floating.css';

interface MenuProps {
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
  readonly side?: 'top' | 'bottom';
  /** For one that is also opened otherwise. */
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
}

export const Menu = ({
  trigger,
  children,
  align = 'start',
  side = 'bottom',
  open,
  onOpenChange,
}: MenuProps) => (
  <Base.Root
    {...(open !== undefined && { open })}
    {...(onOpenChange !== undefined && { onOpenChange: (isOpen) => onOpenChange(isOpen) })}
  >
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner
        className="floats"
        role="region"
        aria-label="Menu"
        sideOffset={4}
        align={align}
        side={side}
      >
        <Base.Popup className="menu">{children}</Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);

export const MenuItem = ({
  icon,
  children,
  ...rest
}: ComponentProps<typeof Base.Item> & { readonly icon?: IconName }) => (
  <Base.Item {...rest} className="item">
    {icon !== undefined && <Icon name={icon} small />}
    {children}
  </Base.Item>
);

interface MenuTickProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

/** One of several that can be on; the menu stays open. */
export const MenuTick = ({ checked, onChange, children }: MenuTickProps) => (
  <Base.CheckboxItem
    className="item"
    checked={checked}
    closeOnClick={false}
    onCheckedChange={(isOn) => onChange(isOn)}
  >
    <span className="ticked">{checked && <Icon name="tick" small />}</span>
    {children}
  </Base.CheckboxItem>
);

export const MenuSeparator = () => <Base.Separator className="sep" />;

export const MenuGroup = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <Base.Group>
    <Base.GroupLabel className="grp">{label}</Base.GroupLabel>
    {children}
  </Base.Group>
);
