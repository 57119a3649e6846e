/** The messages of the PostgreSQL protocol that a proxy needs to parse. */

/** Takes bytes as they arrive, and calls `use` with each complete message. A client's first one has no type. */
export const readMessages = (from: 'client' | 'server', use: (message: Buffer) => void): ((data: Buffer) => void) => {
  let rest = Buffer.alloc(0);
  let isTyped = from === 'server';
  return (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const before = isTyped ? 1 : 0;
      if (rest.length < before + 4) return;
      const end = before + rest.readUInt32BE(before);
      if (rest.length < end) return;
      const message = rest.subarray(0, end);
      rest = rest.subarray(end);
      isTyped = true;
      use(message);
    }
  };
};

const typeOf = (message: Buffer): string => String.fromCharCode(message[0] ?? 0);

/** Whether the server works on what a client has sent so far: not before the Sync or the Flush that follows a Parse or a Bind. */
export const endsGroup = (message: Buffer): boolean => !/[BCDEP]/.test(typeOf(message));

/** Whether the server responds to this message of a client with ReadyForQuery. */
export const isAnswered = (message: Buffer): boolean => /[QS]/.test(typeOf(message));

/** Whether a message of the server is ReadyForQuery. */
export const isReady = (message: Buffer): boolean => typeOf(message) === 'Z';

/**
 * The text of the statement that a message of the client executes: of a Query, or of a Bind, whose statement came in a Parse
 * before. `statements` keeps the texts of one connection by their names.
 */
export const statementOf = (message: Buffer, statements: Map<string, string>): string | undefined => {
  const type = typeOf(message);
  const [first = '', second = ''] = message.subarray(5).toString('latin1').split('\0', 2);
  if (type === 'P') statements.set(first, second);
  if (type === 'Q') return first;
  return type === 'B' ? statements.get(second) : undefined;
};

/** The last message of a server that stops: an ErrorResponse of a few fields, each with its type and a terminating zero. */
export const farewell = (): Buffer => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
  const head = Buffer.from('E\0\0\0\0');
  head.writeUInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
};
