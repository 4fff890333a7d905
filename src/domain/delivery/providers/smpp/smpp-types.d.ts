// The npm package smpp has no types. These cover what this service and the tests' simulator use.
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';
  import type { Server as NetServer, Socket } from 'node:net';

  export type Fields = Readonly<Record<string, string | number | Buffer | undefined>>;

  export interface Pdu {
    readonly command: string;
    readonly command_status: number;
    readonly sequence_number: number;
    readonly message_id?: string;
    readonly system_id?: string;
    readonly password?: string;
    readonly interface_version?: number;
    readonly source_addr?: string;
    readonly source_addr_ton?: number;
    readonly destination_addr?: string;
    readonly dest_addr_ton?: number;
    readonly esm_class?: number;
    readonly data_coding?: number;
    readonly registered_delivery?: number;
    /** The raw bytes if the encoding is unknown. */
    readonly short_message?: { readonly message: string | Buffer; readonly udh?: readonly Buffer[] };
    readonly message_payload?: { readonly message: string | Buffer; readonly udh?: readonly Buffer[] };
    readonly receipted_message_id?: string;
    readonly message_state?: number;
    readonly sar_total_segments?: number;
    response(fields?: Fields): Pdu;
  }

  export interface Session extends EventEmitter {
    readonly socket: Socket;
    /** False: the socket takes nothing more, and nothing was written. */
    send(pdu: Pdu): boolean;
    bind_transceiver(fields: Fields, onAnswer: (pdu: Pdu) => void): boolean;
    submit_sm(fields: Fields, onAnswer: (pdu: Pdu) => void): boolean;
    deliver_sm(fields: Fields, onAnswer: (pdu: Pdu) => void): boolean;
    enquire_link(fields: Fields, onAnswer: (pdu: Pdu) => void): boolean;
    unbind(fields: Fields, onAnswer: (pdu: Pdu) => void): boolean;
    close(): void;
    destroy(): void;
  }

  export interface Server extends NetServer {
    readonly sessions: readonly Session[];
  }

  interface Smpp {
    connect(options: { readonly host: string; readonly port: number; readonly tls: boolean }): Session;
    createServer(onSession: (session: Session) => void): Server;
    /** Numbers by name: ESME_RTHROTTLED and so on. */
    readonly errors: Readonly<Record<string, number>>;
  }
  const smpp: Smpp;
  export default smpp;
}
