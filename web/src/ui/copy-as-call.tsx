import catalogue from 'virtual:catalogue';
import { requestOf } from '../call/call.ts';
import type { Input, OperationName } from '../call/types.ts';
import { Icon } from './icon.tsx';
import { useToast } from './toast.tsx';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** As somebody would type it. The key is never a real one. */
function asCurl(name: OperationName, input: Readonly<Record<string, unknown>>, origin: string): string {
  const { method, path, body } = requestOf(name, input);
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(origin + path)}`,
    `-H "Authorization: $ROSTRUM_KEY"`,
    `-H 'Auth-Type: api'`,
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ];
  return lines.join(' \\\n  ');
}

const asToolCall = (name: OperationName, input: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ method: 'tools/call', params: { name, arguments: input } }, null, 2);

/** What this screen shows, as a program or an assistant would ask for it. */
export function CopyAsCall<Name extends OperationName>({
  operation,
  input,
}: {
  readonly operation: Name;
  readonly input: Input<Name>;
}) {
  const toast = useToast();
  const copy = (text: string, said: string): void =>
    void navigator.clipboard.writeText(text).then(() => toast(said));
  const sent = input as Readonly<Record<string, unknown>>;
  return (
    <>
      <button
        type="button"
        className="copy"
        onClick={() => copy(asCurl(operation, sent, location.origin), 'Copied as an API call')}
      >
        <Icon name="code" small />
        Copy as API call
      </button>
      {catalogue[operation]!.tool === true && (
        <button
          type="button"
          className="copy"
          onClick={() => copy(asToolCall(operation, sent), 'Copied as a tool call')}
        >
          <Icon name="code" small />
          Copy as tool call
        </button>
      )}
    </>
  );
}
