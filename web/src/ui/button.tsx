import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import './button.css';

interface Looks {
  readonly kind?: 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-ghost';
  readonly size?: 's' | 'l';
  readonly icon?: IconName;
}

interface ButtonProps extends Looks, Omit<ComponentProps<'button'>, 'children' | 'disabled'> {
  readonly children?: ReactNode;
  /** What it is doing, said while it does: "Saving". */
  readonly busy?: string | false | undefined;
  /** Why it cannot be used now. It stays reachable by keyboard, and tells. */
  readonly unless?: string | false | undefined;
}

const classOf = ({ kind = 'secondary', size, icon }: Looks, isBare = false): string =>
  ['btn', kind, size, isBare && icon !== undefined && 'icon'].filter(Boolean).join(' ');

/** A button that only has an icon needs an `aria-label`. */
export function Button({
  kind,
  size,
  icon,
  children,
  busy,
  unless,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const isBusy = typeof busy === 'string';
  const isOff = isBusy || typeof unless === 'string';
  return (
    <button
      {...rest}
      type={type}
      className={classOf(
        { ...(kind && { kind }), ...(size && { size }), ...(icon && { icon }) },
        children === undefined,
      )}
      aria-disabled={isOff || undefined}
      title={typeof unless === 'string' ? unless : rest.title}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {isBusy ? (
        <span className="spin">
          <Icon name="again" />
        </span>
      ) : (
        icon !== undefined && <Icon name={icon} />
      )}
      {isBusy ? busy : children}
    </button>
  );
}
