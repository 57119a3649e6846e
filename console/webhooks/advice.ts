/** What a failed attempt means, and what to do. */

export interface FailedAttempt {
  readonly status?: number | undefined;
  readonly failure?: string | undefined;
  /** What is wrong with the certificate, if the service knows. */
  readonly certificate?: string | undefined;
  /** Where a redirect leads. */
  readonly location?: string | undefined;
}

/** Undefined for a success. `url` is that of the receiver. */
export const adviceFor = (
  { status, failure, certificate, location }: FailedAttempt,
  url: string,
): string | undefined => {
  const address = addressOf(url);
  const name = address.replace(/:\d+$/, '');
  if (status === undefined) return wordsForFailure(failure, address, name, certificate);
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) {
    const target = location === undefined ? 'elsewhere' : `to ${location}`;
    return `The receiver redirects ${target}. Redirects are not followed: create a webhook with that URL.`;
  }
  const words = wordsForStatus[status] ?? (status >= 500 ? 'The receiver failed: its own log says why' : undefined);
  return `${words ?? 'The receiver refuses the message'} (${status}).`;
};

/** The host and the port, such as `127.0.0.1:9`. */
const addressOf = (url: string): string => {
  const { protocol, hostname, port } = URL.parse(url) ?? { protocol: '', hostname: url, port: '' };
  return `${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`;
};

const wordsForFailure = (failure: string | undefined, address: string, name: string, certificate = ''): string => {
  switch (failure) {
    case 'timeout':
      return `${address} does not answer in time. Let the receiver answer first, and do its work afterwards; or a firewall drops the connection.`;
    case 'unresolved':
      return `Nobody knows the address of ${name}. Check the name in the URL.`;
    case 'not_public':
      return `${name} is no public address with https. For a receiver in a private network, start the service with WEBHOOK_ALLOW_PRIVATE=true.`;
    case 'tls':
      return (
        wordsForCertificate[certificate]?.(name) ??
        `The certificate of ${name} is not valid: it has another name, has expired, or is from an unknown authority; or ${address} does not speak TLS.`
      );
    default:
      return `Nobody answers at ${address}. Check that the receiver runs, and that the service can reach its port.`;
  }
};

const wordsForCertificate: Readonly<Record<string, (name: string) => string>> = {
  other_name: (name) =>
    `The certificate has another name than ${name}. Check the name in the URL, or let the receiver have a certificate for it.`,
  expired: (name) => `The certificate of ${name} has expired. Let the receiver renew it.`,
  not_yet_valid: (name) =>
    `The certificate of ${name} is not valid yet. Check the clocks of the service and of the receiver.`,
  self_signed: (name) =>
    `The certificate of ${name} is self-signed. Let the receiver have one of a public authority, such as Let’s Encrypt.`,
  unknown_authority: (name) =>
    `The certificate of ${name} is from an unknown authority, or the receiver does not send the intermediate certificate with it.`,
};

const wordsForStatus: Readonly<Record<number, string>> = {
  400: 'The receiver does not understand the message: its own log says why',
  401: 'The receiver asks for a sign-in, which webhooks do not have: let it verify the signature instead',
  403: 'The receiver forbids the message: check the secret with which it verifies, and its firewall',
  404: 'The receiver has nothing at this path: check the URL',
  405: 'The receiver does not take POST at this path: check the URL',
  410: 'The receiver says that it is gone for ever, so the webhook is disabled: a test message enables it again',
  413: 'The receiver takes no message of this size',
  415: 'The receiver does not take JSON',
  429: 'The receiver has too many requests: the service waits as long as it asks',
};
