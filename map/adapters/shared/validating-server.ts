/** A server whose framework validates requests, and perhaps the responses that the handler is told to send. */
import type { Server } from 'node:http';
import type { Judgement, ValidateQuestion } from '../../measure/abilities/validate.ts';
import { Refusal } from '../../measure/session.ts';

/** The request has the response that the handler must send, for `replyOf`. */
export const replyHeader = 'x-reply';

export interface ToldReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: string;
}

/** Undefined in a request that is itself the question: the handler then answers 204, without a validation of the response. */
export const replyOf = (header: string | undefined): ToldReply | undefined =>
  header === undefined ? undefined : JSON.parse(decodeURIComponent(header));

export const urlOf = (server: Server): string => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.');
  return `http://127.0.0.1:${address.port}`;
};

/**
 * A request is refused with a status from 400, and a response with one from 500. Responses are not asked if the server does not validate
 * them, and neither are requests of webhooks, which have no path. A server that fails without a path has not read the document.
 */
export const judgeByServer = async (
  url: string,
  questions: readonly ValidateQuestion[],
  { validatesResponses = true }: { readonly validatesResponses?: boolean } = {},
): Promise<(Judgement | undefined)[]> => {
  const probe = await fetch(`${url}/no-such-path`);
  if (probe.status >= 500) throw new Refusal(await probe.text());
  return Promise.all(
    questions.map(async (question) => {
      const isResponse = question.side === 'response';
      if ((isResponse && !validatesResponses) || !question.target.startsWith('/')) return undefined;
      const { status, line } = await send(url, question);
      return { isAccepted: status < (isResponse ? 500 : 400), ...(status >= 400 && { line: `${status} ${line}` }) };
    }),
  );
};

const send = async (
  url: string,
  { side, method, target, headers, responseHeaders, status, contentType, body, requestBody }: ValidateQuestion,
) => {
  const isResponse = side === 'response';
  const sent = isResponse ? requestBody : body;
  const reply: ToldReply = { status, headers: responseHeaders, contentType, body: body ?? '' };
  const response = await fetch(`${url}${target}`, {
    method,
    headers: {
      ...headers,
      ...(sent !== undefined && { 'content-type': isResponse ? 'application/json' : contentType }),
      ...(isResponse && { [replyHeader]: encodeURIComponent(JSON.stringify(reply)) }),
    },
    ...(sent !== undefined && { body: sent }),
  });
  const line = (await response.text()).replaceAll(/\s+/g, ' ').trim();
  // Prism says in a header why a request is refused, since the body is that of the documented response.
  return { status: response.status, line: response.headers.get('sl-violations') ?? line };
};
