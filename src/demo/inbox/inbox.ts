/**
 * The inbox of a service in development, or of a demo: a receiver for its own webhooks, and a page that shows what arrives. The sender sends to
 * it over HTTP, as to every other receiver. It needs no token; `guard.ts` says whose requests it accepts.
 */
import { Elysia } from 'elysia';
import { AppError, noSuchPath } from '../../base/app-error.ts';
import { type InboxAddress, isInboxName } from '../../base/inbox-address.ts';
import { readBytes } from '../../http/body.ts';
import { invalidParameters } from '../../http/faults.ts';
import { preferredType } from '../../http/media-type.ts';
import { routing } from '../../http/plugin.ts';
import type { PageToken } from '../../pages/options.ts';
import type { HttpServer } from '../../runtime/runtime.ts';
import type { Store } from '../../store/store.ts';
import { type Answer, answers, isAnswer, respond } from './answer.ts';
import { guard } from './guard.ts';
import { createMessages, type Message } from './messages.ts';
import { assets, createPage, serveAsset } from './page.ts';
import { createInboxStreams } from './stream.ts';
import { judge } from './verdict.ts';

export interface InboxOptions {
  readonly store: Pick<Store, 'webhooks'>;
  readonly address: InboxAddress;
  /** What the page says about tokens. */
  readonly token: PageToken;
  /** Whether a page is refused whose name resolves to this machine. */
  readonly requiresLoopbackHost: boolean;
  readonly stopping: AbortSignal;
  readonly limitTime?: HttpServer['limitTime'] | undefined;
}

/** @limit The inbox | Slow answers that wait | they are not slow */
const slowMax = 64;

/** The routes of the inbox, for `createApp`. */
export const createInbox = ({
  store,
  address,
  token,
  requiresLoopbackHost,
  stopping,
  limitTime = () => {},
}: InboxOptions): Elysia => {
  const messages = createMessages();
  const streams = createInboxStreams({ messages, stopping, limitTime });
  let slow = 0;

  const receive = async (request: Request, name: string): Promise<Response> => {
    const body = await readBytes(request, request.headers.get('content-length') ?? undefined);
    const webhooks = (await store.webhooks.list()).filter(({ url }) => address.nameIn(url) === name);
    const verdict = judge(webhooks, request.headers, body, new Date());
    const answer = messages.answerOf(name);
    messages.add({ ...toMessage(request, body), name, verdict, answer });
    return answer === 'slow' ? respondSlowly(request) : respond(answer, stopping);
  };

  const respondSlowly = async (request: Request): Promise<Response> => {
    if (slow >= slowMax) return respond('204', stopping);
    slow += 1;
    limitTime(request, 0);
    return respond('slow', AbortSignal.any([request.signal, stopping])).finally(() => {
      slow -= 1;
    });
  };

  const app = new Elysia(routing)
    .get('/inbox', async ({ request }) => {
      // A HEAD request has its own method from here on.
      await undefined;
      const type = preferredType(request.headers, ['text/html', 'text/event-stream']);
      if (type === 'text/html') return createPage(address.urlOf(''), token);
      guard(request, requiresLoopbackHost);
      return streams.respond(request);
    })
    .get('/inbox/:name', ({ params: { name } }) => {
      expectName(name);
      return new Response(null, { status: 302, headers: { location: `../inbox#${name}` } });
    })
    .post(
      '/inbox/:name',
      ({ request, params: { name } }) => {
        guard(request, requiresLoopbackHost);
        return receive(request, expectName(name));
      },
      { parse: 'none' },
    )
    .put(
      '/inbox/:name',
      ({ request, params: { name } }) => {
        guard(request, requiresLoopbackHost);
        messages.setAnswer(expectName(name), readAnswer(request));
        return new Response(null, { status: 204 });
      },
      { parse: 'none' },
    )
    .delete(
      '/inbox/:name',
      ({ request, params: { name } }) => {
        guard(request, requiresLoopbackHost);
        messages.clear(expectName(name));
        return new Response(null, { status: 204 });
      },
      { parse: 'none' },
    );
  for (const asset of assets) app.get(`/${asset.path}`, () => serveAsset(asset));
  // The compiler need not know the routes: no client of the API calls them.
  return app as unknown as Elysia;
};

/** Throws AppError `no_such_path`. */
const expectName = (name: string): string => {
  if (!isInboxName(name)) throw new AppError(noSuchPath);
  return name;
};

const readAnswer = ({ url }: Request): Answer => {
  const answer = new URL(url, 'http://localhost').searchParams.get('answer') ?? '';
  if (!isAnswer(answer)) {
    throw new AppError(invalidParameters({ name: 'answer', rule: `must be one of ${answers.join(', ')}` }));
  }
  return answer;
};

const toMessage = ({ headers }: Request, body: Uint8Array): Pick<Message, 'receivedAt' | 'headers' | 'body'> => ({
  receivedAt: new Date().toISOString(),
  headers: [...headers].filter(([name]) => !hidden.includes(name)),
  body: new TextDecoder('utf-8', { ignoreBOM: true }).decode(body),
});

/** They are not a part of a message, and can be secrets of whoever tries the inbox. */
const hidden = ['authorization', 'cookie'];
