import { randomUUID } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import type { Course, Journal } from '../domain/broadcasts/sending/journal.ts';
import type { Clock } from '../kernel/clock.ts';

const courses: readonly Course[] = ['handed_over', 'taken', 'not_taken'];
const entryBytes = 25; // the course, the claim and the delivery
const fileBytes = 64 * 2 ** 20;
const keptMs = 8 * 86_400_000; // longer than anybody asks
const bootIdFile = '/proc/sys/kernel/random/boot_id';

export interface JournalOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly onTrouble: (error: Error) => void;
}

/**
 * A journal in files of a folder that the processes of one machine share. A file outlives its process, whatever killed
 * it. Its end may be lost with the machine, so each begins with what names this start of the machine. Whether a process
 * lives is known by the socket that it listens at: the kernel refuses for the dead. Throws where there is no such name,
 * or no such folder.
 */
export async function openJournal({
  folder,
  clock,
  onTrouble,
}: JournalOptions): Promise<Journal & { close(): Promise<void> }> {
  const boot = bytesOf((await readFile(bootIdFile, 'utf8')).trim());
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const process = randomUUID();
  const server = createServer((socket) => socket.destroy()).unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(socketOf(folder, process), resolve);
  });
  const forget = () => forgetOld(folder, process, clock.now().getTime() - keptMs).catch(onTrouble);
  let files = 0;
  let file: { readonly handle: number; bytes: number } | undefined;
  const end = (): void => {
    if (file !== undefined) closeSync(file.handle);
    file = undefined;
  };
  const begin = () => {
    end();
    const handle = openSync(join(folder, `${process}.${++files}`), 'ax', 0o600);
    file = { handle, bytes: 0 };
    write(file, boot);
    void forget();
    return file;
  };
  begin();
  const underWay = new Set<string>();

  return {
    process,
    open(claim) {
      underWay.add(claim);
      return () => underWay.delete(claim);
    },
    note(claim, delivery, course) {
      const entry = Buffer.alloc(entryBytes);
      entry[0] = courses.indexOf(course);
      entry.write(hexOf(claim), 1, 'hex');
      entry.writeBigUInt64BE(BigInt(delivery), 17);
      try {
        write(file === undefined || file.bytes >= fileBytes ? begin() : file, entry);
        return true;
      } catch (error) {
        end(); // it may end with a part of an entry
        onTrouble(error as Error);
        return false;
      }
    },
    async read(other, claim) {
      if (other === process ? underWay.has(claim) : await isAlive(folder, other)) return undefined;
      const names = (await readdir(folder)).filter(
        (name) => name.startsWith(`${other}.`) && hasEntries(name),
      );
      if (names.length === 0) return undefined;
      const found = new Map<number, Course>();
      // In their order: the last entry of a delivery tells.
      for (const name of names.toSorted((a, b) => numberOf(a) - numberOf(b))) {
        const content = await readFile(join(folder, name));
        if (!content.subarray(0, boot.length).equals(boot)) return undefined;
        collect(content.subarray(boot.length), bytesOf(claim), found);
      }
      return found;
    },
    async close() {
      end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function write(file: { readonly handle: number; bytes: number }, bytes: Buffer): void {
  const written = writeSync(file.handle, bytes);
  file.bytes += written;
  if (written !== bytes.length) throw new Error('the journal has no room');
}

function collect(entries: Buffer, claim: Buffer, found: Map<number, Course>): void {
  for (let at = 0; at + entryBytes <= entries.length; at += entryBytes) {
    if (claim.compare(entries, at + 1, at + 17) !== 0) continue;
    found.set(Number(entries.readBigUInt64BE(at + 17)), courses[entries[at]!]!);
  }
}

const hexOf = (uuid: string): string => uuid.replaceAll('-', '');
const bytesOf = (uuid: string): Buffer => Buffer.from(hexOf(uuid), 'hex');
const socketOf = (folder: string, process: string): string => join(folder, `${process}.socket`);
const hasEntries = (name: string): boolean => !name.endsWith('.socket');
const numberOf = (name: string): number => Number(name.slice(name.indexOf('.') + 1));

/** Only a socket that is gone, or that nobody listens at, says that its process is dead. */
function isAlive(folder: string, process: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(socketOf(folder, process));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
  });
}

/** Removes what was last written before a moment, by this process or by dead ones. */
async function forgetOld(folder: string, own: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || found.mtimeMs >= before) continue;
    const process = name.slice(0, name.indexOf('.'));
    const isOwn = process === own && hasEntries(name);
    if (isOwn || !(await isAlive(folder, process))) await rm(path, { force: true });
  }
}
