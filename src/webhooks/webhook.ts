/** A webhook: the URL to which events are sent, their types, and the rules for its deliveries and its health. */
import { isIP } from 'node:net';
import { AppError, noWebhook, tooManyWebhooks } from '../base/app-error.ts';
import { randomBase62 } from '../base/base62.ts';
import { readHost } from '../base/host.ts';
import type { InboxAddress } from '../base/inbox-address.ts';
import { isPublicAddress, withoutBrackets } from '../base/network.ts';
import { isOneOf } from '../base/text.ts';
import type { PlantEventType } from '../events/event.ts';

/** @limit Webhooks | Webhooks in a store | 409 */
export const webhooksMax = 100;
/** @limit Webhooks | ASCII characters in a URL | 400 */
export const urlLengthMax = 2048;
/** @limit Webhooks | Code points in a description | 400 */
export const descriptionLengthMax = 500;
/** @limit Webhooks | Secrets that sign at once | the oldest no longer signs */
export const secretsMax = 4;
export const rotationMs = 24 * 60 * 60 * 1000;

export interface NewWebhook extends Pick<WebhookRecord, 'url' | 'events' | 'description'> {
  /** Generated if omitted. */
  readonly id?: string;
  readonly secret: string;
}

/** A webhook as it is stored. Times are RFC 3339, UTC. */
export interface WebhookRecord {
  readonly id: string;
  readonly url: string;
  readonly events: readonly PlantEventType[];
  readonly description?: string;
  readonly createdAt: string;
  /** The newest first; never empty. */
  readonly secrets: readonly Secret[];
  /** Start of the current failure streak. Omitted if the last attempt succeeded. */
  readonly failingSince?: string;
  readonly disabled?: { readonly at: string; readonly reason: DisabledReason };
  /** When a test or a redelivery last enabled it. Earlier attempts no longer count against it. */
  readonly enabledAt?: string;
  /** Every event up to this sequence is sent, or has a delivery. */
  readonly position: bigint;
}

export interface Secret {
  readonly text: string;
  /** The time after which it no longer signs. Omitted for the newest secret. */
  readonly until?: string;
}

/** `gone`: the receiver responded with 410. `failing`: every attempt of a delivery failed, and no other attempt succeeded in that time. */
export const disabledReasons = ['gone', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export const isDisabledReason = isOneOf(disabledReasons);

/** The public id of a webhook, not a secret. */
export const generateWebhookId = (): string => `wh_${randomBase62(webhookIdLength)}`;
export const webhookIdLength = 14;

export interface Generators {
  webhookId(): string;
  secret(): string;
}

/** Throws AppError `not_found`. */
export const expectWebhook = (existing: WebhookRecord | undefined): WebhookRecord => {
  if (!existing) throw new AppError(noWebhook);
  return existing;
};

/** Throws AppError `too_many_webhooks` if `count` has reached the maximum. */
export const expectRoomForWebhook = (count: number): void => {
  if (count >= webhooksMax) throw new AppError(tooManyWebhooks(webhooksMax));
};

export type Health = Pick<WebhookRecord, 'failingSince' | 'disabled' | 'enabledAt'>;

/** The secrets that sign at `now`, the newest first. */
export const secretsInForce = ({ secrets }: Pick<WebhookRecord, 'secrets'>, now: Date): string[] =>
  secrets.filter(({ until }) => until === undefined || now.getTime() < Date.parse(until)).map(({ text }) => text);

/** The secrets after a rotation: the new one, and the earlier ones that still sign. */
export const rotateSecrets = (secrets: readonly Secret[], text: string, now: Date): Secret[] => {
  const until = new Date(now.getTime() + rotationMs).toISOString();
  const earlier = secrets
    .map((secret) => ({ until, ...secret }))
    .filter((secret) => now.getTime() < Date.parse(secret.until));
  return [{ text }, ...earlier].slice(0, secretsMax);
};

/** The URLs that webhooks may have besides those of public hosts. */
export interface Targets {
  /** Permits http and every address. */
  readonly allowPrivate: boolean;
  /** Permits the URLs of the service's own inbox, in development and in the demo. */
  readonly inbox?: InboxAddress | undefined;
}

/**
 * The reason why a webhook must not have this URL, as the end of a message. Undefined if the URL is valid. A name can still resolve
 * to a private address, so each connection checks the address again.
 */
export const faultOfUrl = (text: string, { allowPrivate, inbox }: Targets): string | undefined => {
  if (inbox?.nameIn(text) !== undefined) return undefined;
  if (text.length > urlLengthMax) return `must be at most ${urlLengthMax} characters`;
  if (!uriForm.test(text) || !URL.canParse(text)) return 'must be an absolute URL, in ASCII and percent-encoded';
  const { protocol, hostname, port } = new URL(text);
  if (protocol !== 'https:' && !(allowPrivate && protocol === 'http:')) {
    return allowPrivate ? 'must be an https or http URL' : 'must be an https URL';
  }
  if (userInfoForm.test(text)) return 'must not have a user name or a password';
  // Nothing can connect to it. URL parsers refuse ports above 65535.
  if (port === '0') return 'must have a port from 1 to 65535';
  if (readHost(hostname) === undefined) return 'must have a host name or an IP address as its host';
  if (!allowPrivate && !isPublicHost(hostOf(hostname))) return 'must have a public host';
  return undefined;
};

/** The host of a URL for a look-up: an IPv6 address without its brackets, a name without the dot of the root. */
export const hostOf = (hostname: string): string => withoutBrackets(hostname).replace(/\.$/, '');

/** A URI with an authority (RFC 3986 §2). URL parsers accept more, and may send to a different host than a reader expects. */
const uriForm = /^[a-z][a-z0-9+.-]*:\/\/[^/?#](?:[!#$&-;=?-Z_a-z~[\]]|%[0-9A-F]{2})*$/i;
const userInfoForm = /^[^/]*\/\/[^/?#]*@/;

/** A name without a dot belongs to the local network, and an empty label is invalid. */
const isPublicHost = (host: string): boolean => {
  if (isIP(host) !== 0) return isPublicAddress(host);
  const labels = host.split('.');
  return (
    labels.length > 1 && !labels.includes('') && !specialDomains.some((domain) => `.${host}`.endsWith(`.${domain}`))
  );
};

/**
 * Domains without public hosts, by https://www.iana.org/assignments/special-use-domain-names and by convention.
 * `example.com` and similar domains are also in the registry, but they are public hosts.
 */
const specialDomains = ['alt', 'example', 'home.arpa', 'internal', 'invalid', 'local', 'localhost', 'onion', 'test'];
