import { Menu as Base } from '@base-ui/react/menu';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import './floating.css';

interface MenuProps {
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
  readonly side?: 'top' | 'bottom';
}

export const Menu = ({ trigger, children, align = 'start', side = 'bottom' }: MenuProps) => (
  <Base.Root>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner className="floats" sideOffset={4} align={align} side={side}>
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

export const MenuSeparator = () => <Base.Separator className="sep" />;

export const MenuGroup = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <Base.Group>
    <Base.GroupLabel className="grp">{label}</Base.GroupLabel>
    {children}
  </Base.Group>
);
