import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useAsk, useOrg } from '../call/use-call.ts';
import { Failed } from '../ui/blank.tsx';
import { Icon, Mark } from '../ui/icon.tsx';
import { Clock } from './clock.tsx';
import { useGoKeys } from './go-keys.ts';
import { useIsPhone } from './is-phone.ts';
import { KeyMap } from './key-map.tsx';
import { useKeys } from './keys.ts';
import { NewMenu } from './new-menu.tsx';
import { Palette } from './palette.tsx';
import { isUnder, sectionsOf } from './sections.ts';
import { Sidebar } from './sidebar.tsx';
import './frame.css';
import './phone.css';

/** Around every page of an organization. */
export function Frame() {
  const me = useAsk('get_me', {});
  if (me.error !== null)
    return (
      <main className="main alone">
        <Failed problem={me.error} what="this organization" heading="h1" retry={() => void me.refetch()} />
      </main>
    );
  if (me.data === undefined) return <div className="app" aria-busy="true" />;
  return <Whole />;
}

function Whole() {
  const [isKeyMap, setKeyMap] = useState(false);
  const isPhone = useIsPhone();
  useGoKeys();
  useKeys({ '?': () => setKeyMap(true) });
  return (
    <div className="app">
      <a className="skip btn primary" href="#content">
        To the content
      </a>
      {!isPhone && <Sidebar onKeys={() => setKeyMap(true)} />}
      <Outlet />
      {isPhone && <PhoneTabs />}
      <KeyMap open={isKeyMap} onClose={() => setKeyMap(false)} />
    </div>
  );
}

interface PageProps {
  /** Where one is: the parts above, then the page itself. */
  readonly crumbs: readonly (readonly [label: string, to: string])[];
  readonly title: string;
  readonly children: ReactNode;
}

export const Page = ({ crumbs, title, children }: PageProps) => (
  <>
    <title>{`${title} · Rostrum`}</title>
    <header className="topbar">
      <div className="crumbs">
        {crumbs.map(([label, to]) => (
          <span key={to} className="crumb">
            <Link to={to}>{label}</Link>
            <span aria-hidden="true"> / </span>
          </span>
        ))}
        <b className="ellipsis">{title}</b>
      </div>
      <div className="end row">
        <Palette />
        <NewMenu />
        <Clock />
      </div>
    </header>
    {useIsPhone() && <PhoneTop crumbs={crumbs} title={title} />}
    <main className="main" id="content" tabIndex={-1}>
      {children}
    </main>
  </>
);

const PhoneTop = ({ crumbs, title }: Omit<PageProps, 'children'>) => (
  <>
    <header className="m-top">
      {crumbs.length === 0 ? (
        <Mark />
      ) : (
        <Link to={crumbs.at(-1)![1]} className="btn ghost back" aria-label={`Back to ${crumbs.at(-1)![0]}`}>
          <Icon name="left" />
        </Link>
      )}
      <b className="grow ellipsis">{title}</b>
      <Palette isSmall />
    </header>
    <Beside />
  </>
);

/** The other pages of a section, where there is no sidebar to show them. */
function Beside() {
  const org = useOrg();
  const { pathname } = useLocation();
  const section = sectionsOf(org).find((one) => isUnder(pathname, one));
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    row.current
      ?.querySelector('[aria-current="page"]')
      ?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [pathname]);
  if (section === undefined || section.children.length === 0) return null;
  const places = section.to.endsWith('/settings') ? section.children : [section, ...section.children];
  return (
    <nav ref={row} className="m-beside tabs" aria-label={section.label}>
      {places.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={pathname.startsWith(to) ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

function PhoneTabs() {
  const org = useOrg();
  const { pathname } = useLocation();
  return (
    <nav className="m-tabs" aria-label="Sections">
      {sectionsOf(org).map((section) => (
        <Link
          key={section.to}
          to={section.to}
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={isUnder(pathname, section) ? 'page' : undefined}
        >
          <Icon name={section.icon} />
          {section.label}
        </Link>
      ))}
    </nav>
  );
}
