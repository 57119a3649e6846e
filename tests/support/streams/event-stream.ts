import { fits } from '../document/document.ts';

/** A server-sent event, with the event of the log that is its data. */
export interface Frame {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly eventId: string; readonly sequence: number; readonly type: string; readonly id: number };
}

export interface FrameReader {
  /** The id of the event after which the stream begins, in the header of the response. */
  readonly start: string;
  /** All received text so far. */
  text(): string;
  /** Reads until there is this number of events, and resolves to all of them. Rejects if the stream ends before. */
  frames(count: number): Promise<readonly Frame[]>;
  /** Reads until this number of comments has arrived. */
  comments(count: number): Promise<void>;
  /** Reads to the end. Resolves to all events. Rejects if the connection is cut, or the last event is incomplete. */
  end(): Promise<readonly Frame[]>;
  /** Closes the connection. */
  cancel(): Promise<void>;
}

export const asStream = { accept: 'text/event-stream' };

/** Whether the body of a response is endless. */
export const isStream = ({ headers, body }: Response): boolean =>
  body !== null && headers.get('content-type') === asStream.accept;

/** Reads a live stream as a client does, and validates each of its events against the schema of the document. */
export const readFrames = ({ body, headers }: Response): FrameReader => {
  if (!body) throw new Error('There is no stream.');
  const reader = body.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const frames: Frame[] = [];
  let [text, rest, comments] = ['', '', 0];

  const readMore = async (): Promise<boolean> => {
    const { done, value } = await reader.read();
    if (done) return false;
    const more = decoder.decode(value, { stream: true });
    text += more;
    rest += more;
    for (let [piece] = commentOrFrame.exec(rest) ?? []; piece; [piece] = commentOrFrame.exec(rest) ?? []) {
      rest = rest.slice(piece.length);
      if (piece === comment) comments += 1;
      else frames.push(await toFrame(piece.slice(0, -2)));
    }
    return true;
  };
  const readUntil = async (isEnough: () => boolean): Promise<void> => {
    while (!isEnough()) if (!(await readMore())) throw new Error(`The stream ended after ${text}`);
  };

  return {
    start: `${headers.get('last-event-id')}`,
    text: () => text,
    frames: async (count) => {
      await readUntil(() => frames.length >= count);
      return frames;
    },
    comments: (count) => readUntil(() => comments >= count),
    end: async () => {
      while (await readMore());
      if (rest !== '') throw new Error(`The stream ended within an event: ${rest}`);
      return frames;
    },
    cancel: () => reader.cancel(),
  };
};

/** Without an empty line, at which some clients report an event. */
const comment = ':\n';
const commentOrFrame = /^(?::\n|[^:][\s\S]*?\n\n)/;

const toFrame = async (text: string): Promise<Frame> => {
  const [, id, event, json] = /^id: ([^\r\n]+)\nevent: ([^\r\n]+)\ndata: ([^\r\n]+)$/.exec(text) ?? [];
  if (id === undefined || event === undefined || json === undefined) throw new Error(`This is no event: ${text}`);
  const data: Frame['data'] = JSON.parse(json);
  if (data.eventId !== id || data.type !== event) throw new Error(`The event has another id or type: ${text}`);
  if (!(await fits(eventSchema, data))) throw new Error(`The event does not fit its schema: ${text}`);
  return { id, event, data };
};

const eventSchema = { $ref: '#/components/schemas/Event' };
