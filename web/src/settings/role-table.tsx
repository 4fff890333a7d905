import roles from 'virtual:roles';
import { Icon } from '../ui/icon.tsx';
import { sayPermission } from './permission-words.ts';
import { roleChoices } from './role-choices.ts';

const permissions = roles[0]!.permissions;

/** What each role allows, as the service has it. */
export const RoleTable = () => (
  <div className="card scrolls mt6" role="region" aria-label="What each role allows" tabIndex={0}>
    <header>
      <h2>What each role allows</h2>
    </header>
    <table className="tbl tight">
      <thead>
        <tr>
          <th className="first">Permission</th>
          {roleChoices.map(([role, label]) => (
            <th key={role} className="num">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {permissions.map((permission) => (
          <tr key={permission}>
            <td className="first">
              {sayPermission(permission)} <span className="hint mono only-wide">{permission}</span>
            </td>
            {roles.map(({ role, permissions: given }) => (
              <Cell key={role} isGiven={given.includes(permission)} />
            ))}
          </tr>
        ))}
        <tr>
          <td className="first">Keys, members, invitations</td>
          {roles.map(({ role, managesAccess }) => (
            <Cell key={role} isGiven={managesAccess} />
          ))}
        </tr>
      </tbody>
    </table>
  </div>
);

const Cell = ({ isGiven }: { readonly isGiven: boolean }) => (
  <td className="num">
    {isGiven ? (
      <span className="yes">
        <Icon name="tick" />
        <span className="vh">yes</span>
      </span>
    ) : (
      <span className="muted">no</span>
    )}
  </td>
);
