/**
 * A DNS server of a test, over UDP and TCP, and the programs that use it instead of that of the machine: they run in a namespace of
 * mounts with their own `/etc/resolv.conf` and `/etc/hosts`. That needs Linux, and root or user namespaces.
 */
import { test } from 'bun:test';
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { createServer, isIPv4 } from 'node:net';
import { temporaryFolder } from '../folder.ts';

/** What the server responds for a name: addresses, an error, or bytes that are no response. Undefined is silence. */
export type NameAnswer = readonly string[] | 'SERVFAIL' | 'NXDOMAIN' | 'garbage' | undefined;

export interface NameQuestion {
  readonly name: string;
  readonly family: 4 | 6;
  readonly isTcp: boolean;
}

export interface NameServer extends Disposable {
  /** All questions so far. */
  readonly questions: readonly NameQuestion[];
  /** The names in all responses so far. */
  readonly answered: readonly string[];
  /** The beginning of a command of a program that uses this server. */
  readonly prefix: readonly string[];
}

interface NameServerOptions {
  readonly answer: (question: NameQuestion) => NameAnswer;
  /** From the first question about the name to its first response, as of a server that asks others. */
  readonly delayMs?: (name: string) => number;
  /** The other lines of `/etc/resolv.conf`. */
  readonly options?: string;
  /** The lines of `/etc/hosts`. */
  readonly hosts?: string;
}

const unshare = ['unshare', '--mount', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])];

const randomHost = (): string => `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;

/** Whether this machine permits it. */
export const canServeNames = canMount() && (await canListen());

/** A test that needs it. */
export const nameServerTest = test.skipIf(!canServeNames);

export const startNameServer = async ({
  answer,
  delayMs = () => 0,
  options = '',
  hosts = '127.0.0.1 localhost\n',
}: NameServerOptions): Promise<NameServer> => {
  const host = randomHost();
  const questions: NameQuestion[] = [];
  const answeredNames: string[] = [];
  const firstAtMs = new Map<string, number>();
  let isClosed = false;
  const respond = (query: Buffer, isTcp: boolean, send: (response: Buffer) => void): void => {
    const { question, bytes } = readQuestion(query);
    const one = { ...question, isTcp };
    questions.push(one);
    const answered = answer(one);
    if (answered === undefined) return;
    const first = firstAtMs.get(one.name) ?? performance.now();
    firstAtMs.set(one.name, first);
    setTimeout(
      () => {
        if (isClosed) return;
        answeredNames.push(one.name);
        send(toResponse(query, bytes, one, answered));
      },
      Math.max(0, first + delayMs(one.name) - performance.now()),
    );
  };
  const udp = createSocket('udp4', (query, peer) => {
    respond(query, false, (response) => udp.send(response, peer.port, peer.address));
  });
  const tcp = createServer((socket) => {
    socket.on('error', () => {});
    // A query arrives in one piece.
    socket.on('data', (piece: Buffer) => {
      respond(piece.subarray(2), true, (response) => socket.write(withLength(response)));
    });
  });
  await new Promise<void>((resolve) => udp.bind(53, host, resolve));
  await new Promise<void>((resolve) => tcp.listen(53, host, resolve));
  const folder = temporaryFolder();
  const write = (name: string, text: string): string => {
    writeFileSync(folder.file(name), text);
    return folder.file(name);
  };
  const mounts = [
    ['/etc/resolv.conf', write('resolv.conf', `nameserver ${host}\n${options}\n`)],
    ['/etc/hosts', write('hosts', hosts)],
  ];
  const script = mounts.map(([target, file]) => `mount --bind ${file} ${target}`).join(' && ');
  return {
    questions,
    answered: answeredNames,
    prefix: [...unshare, 'sh', '-c', `${script} && exec "$@"`, 'sh'],
    [Symbol.dispose]: () => {
      isClosed = true;
      udp.close();
      tcp.close();
      folder[Symbol.dispose]();
    },
  };
};

function canMount(): boolean {
  return process.platform === 'linux' && Bun.spawnSync([...unshare, 'true']).exitCode === 0;
}

function canListen(): Promise<boolean> {
  const socket = createSocket('udp4');
  return new Promise((resolve) => {
    socket.once('error', () => resolve(false));
    socket.bind(53, randomHost(), () => socket.close(() => resolve(true)));
  });
}

/** The one question of a query (RFC 1035 §4.1.2), and its bytes. */
const readQuestion = (query: Buffer) => {
  const labels: string[] = [];
  let offset = 12;
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  const family: 4 | 6 = query.readUInt16BE(offset + 1) === typeAaaa ? 6 : 4;
  return { question: { name: labels.join('.').toLowerCase(), family }, bytes: query.subarray(12, offset + 5) };
};

const typeAaaa = 28;
const udpBytesMax = 512;
const flags = { ok: 0x8180, truncated: 0x8380, SERVFAIL: 0x8182, NXDOMAIN: 0x8183 };

const toResponse = (
  query: Buffer,
  question: Buffer,
  { family, isTcp }: NameQuestion,
  answer: NonNullable<NameAnswer>,
) => {
  if (answer === 'garbage') return Buffer.concat([query.subarray(0, 2), Buffer.from('not a response of DNS')]);
  const head = (code: number, answers: number): Buffer => {
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers, 6);
    return Buffer.concat([header, question]);
  };
  if (typeof answer === 'string') return head(flags[answer], 0);
  const records = answer.filter((address) => isIPv4(address) === (family === 4)).map(toRecord);
  const response = Buffer.concat([head(flags.ok, records.length), ...records]);
  return isTcp || response.length <= udpBytesMax ? response : head(flags.truncated, 0);
};

/** A record about the name of the question, for an address without `::` within. */
const toRecord = (address: string): Buffer => {
  const bytes = isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.concat([Buffer.alloc(15), Buffer.from([Number(address.replace('::', ''))])]);
  const header = Buffer.alloc(12);
  header.writeUInt16BE(0xc00c, 0);
  header.writeUInt16BE(bytes.length === 4 ? 1 : typeAaaa, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt32BE(60, 6);
  header.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([header, bytes]);
};

const withLength = (response: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(response.length);
  return Buffer.concat([length, response]);
};
