import pg from 'pg';

/** The two things of a connection that COPY takes and that the types of pg leave out. */
interface CopyingConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** `COPY … FROM STDIN`: hands over text in the format that the statement names. */
export const copyIn = (client: pg.Client, statement: string, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const query = new pg.Query(statement);
    query.on('end', () => resolve());
    query.on('error', reject);
    const handing = {
      handleCopyInResponse: (connection: CopyingConnection): void => {
        connection.sendCopyFromChunk(Buffer.from(text));
        connection.endCopyFrom();
      },
    };
    client.query(Object.assign(query, handing));
  });
