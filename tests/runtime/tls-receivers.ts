/** Receivers that do not behave before TLS is established, and the outcome that an attempt must have, as in `receivers.ts`. */
import type { CertificateFault } from '../../src/deliveries/delivery.ts';
import { drip, flood, say, sayLast } from '../support/network/raw-server.ts';
import type { RuntimeName } from '../support/programs/runtimes.ts';
import type { RawReceiver } from './receivers.ts';

const connection = { failure: 'connection' } as const;
const timeout = { failure: 'timeout' } as const;
const tls = { failure: 'tls' } as const;

const uint16 = (value: number): number[] => [value >> 8, value & 0xff];

/** The content types of a record (RFC 8446 §5.1). */
const [changeCipherSpec, alert, handshake] = [20, 21, 22];
const record = (type: number, content: readonly number[], version = 0x0303): Buffer =>
  Buffer.from([type, ...uint16(version), ...uint16(content.length), ...content]);

/** A server that insists on this version and cipher suite, whatever the client offers (RFC 5246 §7.4.1.3). */
const serverHello = (version: number, cipherSuite: number): Buffer => {
  const random = Array<number>(32).fill(7);
  const body = [...uint16(version), ...random, 0, ...uint16(cipherSuite), 0];
  return record(handshake, [2, 0, ...uint16(body.length), ...body], version);
};

const ecdheEcdsaAes128Sha = 0xc009;
/** The first part of a Certificate message (11) of 16 MiB. */
const longCertificate = record(handshake, [11, 0xff, 0xff, 0xff]);
const longServerHello = record(handshake, [2, 0xff, 0xff, 0xff]);
const zeros = record(handshake, Array<number>(16_384).fill(0));

export const tlsReceivers: Readonly<Record<string, RawReceiver>> = {
  'does not respond': [(socket) => socket.resume(), timeout],
  'closes the connection': [sayLast(''), connection],
  'sends its handshake a byte at a time': [drip('\0', Buffer.from([handshake, 3, 3, 0x40, 0, 2])), timeout],
  'responds without TLS': [say('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), tls],
  'uses SSH': [sayLast('SSH-2.0-OpenSSH\r\n'), tls],
  'insists on SSL 3': [say(serverHello(0x0300, 0x002f)), tls],
  'insists on TLS 1.0': [say(serverHello(0x0301, ecdheEcdsaAes128Sha)), tls],
  'insists on TLS 1.1': [say(serverHello(0x0302, ecdheEcdsaAes128Sha)), tls],
  'insists on no encryption': [say(serverHello(0x0303, 0x003b)), tls],
  'insists on RC4 with MD5': [say(serverHello(0x0303, 0x0004)), tls],
  'insists on RC4 with SHA': [say(serverHello(0x0303, 0x0005)), tls],
  'insists on 3DES': [say(serverHello(0x0303, 0x000a)), tls],
  'insists on a cipher suite for export': [say(serverHello(0x0303, 0x0003)), tls],
  'insists on no certificate': [say(serverHello(0x0303, 0x0034)), tls],
  'sends the header of a record that is too long': [say(Buffer.from([handshake, 3, 3, 0xff, 0xff])), tls],
  'sends a message without end': [flood(zeros, longServerHello), tls],
  'sends a certificate without end': [flood(zeros, Buffer.concat([serverHello(0x0303, 0xc02b), longCertificate])), tls],
  'sends empty records without end': [flood(record(handshake, [])), tls],
  'sends warnings without end': [flood(record(alert, [1, 90])), tls],
  'changes its cipher without end': [flood(record(changeCipherSpec, [1])), tls],
  // OpenSSL ignores this message before the first of the server.
  'sends hello requests without end': [flood(record(handshake, [0, 0, 0, 0])), tls, { node: timeout }],
};

type Outcome = Readonly<Record<string, unknown>>;

const accepted = { status: 204 };
const refused = (certificate: CertificateFault): Outcome => ({ ...tls, certificate });
/** Deno has no reason why it does not accept a certificate, except another name and a self-signed one. */
const untold = { deno: tls };

/** The certificates in `fixtures/`, and the outcome of an attempt to their receiver. */
export const certificates: Readonly<
  Record<string, readonly [files: readonly string[], onAll: Outcome, differs?: Partial<Record<RuntimeName, Outcome>>]>
> = {
  'is valid': [['valid'], accepted],
  'has an intermediate authority': [['by-intermediate', 'intermediate'], accepted],
  'has expired': [['expired'], refused('expired'), untold],
  'is not yet valid': [['not-yet-valid'], refused('not_yet_valid'), untold],
  'is for another name': [['other-name'], refused('other_name')],
  'is for all names of a top-level domain': [['wide-wildcard'], refused('other_name')],
  'is for clients': [['for-clients'], tls],
  'is self-signed': [['self-signed'], refused('self_signed')],
  'is of an unknown authority': [['unknown-authority'], refused('unknown_authority'), untold],
  'is sent without its intermediate authority': [['by-intermediate'], refused('unknown_authority'), untold],
  'is signed by a server that is no authority': [['by-server', 'valid'], tls],
  'is signed with SHA-1': [['sha-1'], tls, { bun: accepted }],
  'has an RSA key of 1,024 bits': [['rsa-1024'], tls, { bun: accepted }],
};
