import { useAct } from '../call/use-call.ts';
import type { Output } from '../call/types.ts';
import { ago, day } from '../format/time.ts';
import { useNow } from '../frame/clock.tsx';
import { useWhyNot } from '../frame/me.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { sayPermission } from './permission-words.ts';

type Connection = Output<'list_connections'>['connections'][number];

/** The assistants and other tools that members let in, and how one comes in. */
export function ToolsCard({ connections }: { readonly connections: readonly Connection[] }) {
  const address = `${location.origin}/mcp`;
  return (
    <section className="card" aria-label="Tools">
      <header className="address">
        <h2>Tools</h2>
        <span className="end row">
          <code className="code">{address}</code>
          <CopyButton text={address} what="the address for tools" />
        </span>
      </header>
      {connections.length === 0 ? (
        <p className="body muted">
          No tool is connected. Give an assistant the address above: it sends you here to sign in, to choose
          this organization, and to tick what it may do.
        </p>
      ) : (
        <table className="tbl tall stacks">
          <thead>
            <tr>
              <th className="first">Tool</th>
              <th>May</th>
              <th>Last call</th>
              <th className="last">
                <span className="vh">Disconnect</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {connections.map((connection) => (
              <ToolRow key={connection.id} connection={connection} />
            ))}
          </tbody>
        </table>
      )}
      <footer>
        <Icon name="lock" />
        <span>
          A tool acts as whoever let it in, and may do no more than their role. None can write to somebody who
          opted out, or see another organization.
        </span>
      </footer>
    </section>
  );
}

function ToolRow({ connection }: { readonly connection: Connection }) {
  const { now, zone } = useNow();
  const whyNot = useWhyNot()('end_connection');
  const end = useAct('end_connection', ['list_connections']);
  const name = connection.client_name ?? connection.client_host ?? connection.redirect_host;
  return (
    <tr>
      <td className="first">
        <div className="medium">{name}</div>
        <div className="hint">
          for {connection.user.email}, since {day(new Date(connection.created_at), zone, now)}
        </div>
        <div className="hint">
          {connection.client_host ?? `answers to ${connection.redirect_host}`}, until{' '}
          {day(new Date(connection.ends_at), zone, now)}
        </div>
      </td>
      <td data-label="May">
        <May permissions={connection.permissions} />
      </td>
      <td className="muted" data-label="Last call">
        {connection.last_used_at === null ? 'Never' : ago(new Date(connection.last_used_at), zone, now)}
      </td>
      <td className="last num">
        <AskFirst
          verb="Disconnect"
          busy="Disconnecting"
          what={name}
          keep="Keep it"
          whyNot={whyNot}
          act={end}
          input={{ tool_connection_id: connection.id }}
        >
          It ends within a second, wherever it runs. To come back it has to ask {connection.user.email} again.
        </AskFirst>
      </td>
    </tr>
  );
}

const mostSaid = 3;

/** In words; what is many is opened. */
function May({ permissions }: Pick<Connection, 'permissions'>) {
  const said = permissions.map((permission) => <li key={permission}>{sayPermission(permission)}</li>);
  if (said.length <= mostSaid) return <ul className="may">{said}</ul>;
  return (
    <>
      <ul className="may">{said.slice(0, mostSaid)}</ul>
      <details>
        <summary className="link">and {said.length - mostSaid} more</summary>
        <ul className="may">{said.slice(mostSaid)}</ul>
      </details>
    </>
  );
}
