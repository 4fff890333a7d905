import { Link, useLocation } from '@tanstack/react-router';
import { useOrg } from '../call/use-call.ts';
import { Icon, Mark, type IconName } from '../ui/icon.tsx';
import { Menu, MenuGroup, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { Allowance } from './allowance.tsx';
import { useMe } from './me.ts';
import { isUnder, sectionsOf } from './sections.ts';
import { useTheme } from './theme.ts';
import { signOut } from './watch-session.ts';
import './frame.css';

export const Sidebar = ({ onKeys }: { readonly onKeys: () => void }) => (
  <nav className="side" aria-label="Main">
    <OrganizationSwitch />
    <Sections />
    <div className="foot">
      <Allowance />
      <You onKeys={onKeys} />
    </div>
  </nav>
);

function OrganizationSwitch() {
  const { organization, organizations } = useMe();
  return (
    <Menu
      trigger={
        <button type="button" className="org">
          <Mark />
          <span className="grow ellipsis">{organization.name}</span>
          <Icon name="updown" small />
        </button>
      }
    >
      <MenuGroup label="Your organizations">
        {organizations.map(({ org_id, name, mode }) => (
          <MenuItem key={org_id} render={<a href={`/o/${org_id}`} />}>
            {name}
            {mode === 'test' && <span className="end">test</span>}
            {org_id === organization.org_id && <Icon name="tick" small />}
          </MenuItem>
        ))}
      </MenuGroup>
    </Menu>
  );
}

function Sections() {
  const org = useOrg();
  const { pathname } = useLocation();
  return sectionsOf(org).map((section) => {
    const isInside = isUnder(pathname, section);
    return (
      <div key={section.to} className="section">
        <NavLink
          {...section}
          isCurrent={isInside && !section.children.some(({ to }) => pathname.startsWith(to))}
        />
        {isInside &&
          section.children.map((child) => (
            <NavLink key={child.to} {...child} isCurrent={pathname.startsWith(child.to)} />
          ))}
      </div>
    );
  });
}

const NavLink = ({
  to,
  label,
  icon,
  isCurrent,
}: {
  readonly to: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly isCurrent: boolean;
}) => (
  <Link
    to={to}
    className={icon === undefined ? 'nav sub' : 'nav'}
    activeOptions={{ exact: true, includeSearch: false }}
    aria-current={isCurrent ? 'page' : undefined}
  >
    {icon !== undefined && <Icon name={icon} />}
    {label}
  </Link>
);

function You({ onKeys }: { readonly onKeys: () => void }) {
  const email = useMe().user?.email ?? '';
  const [theme, setTheme] = useTheme();
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className="nav">
          <span className="avatar" aria-hidden="true">
            {email.slice(0, 2).toUpperCase()}
          </span>
          <span className="grow ellipsis">{email}</span>
        </button>
      }
    >
      <MenuItem icon="person" render={<a href="/account" />}>
        Your account
      </MenuItem>
      <MenuItem
        icon={theme === 'dark' ? 'sun' : 'moon'}
        onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
      >
        {theme === 'dark' ? 'Light' : 'Dark'}
      </MenuItem>
      <MenuItem icon="code" onClick={onKeys}>
        Keys <span className="end kbd">?</span>
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon="leave" onClick={() => void signOut()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
