/** A port of this machine that was free a moment ago, for what cannot be told to choose one by itself. */
export const freePort = async (): Promise<number> => {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const port = Number(server.port);
  await server.stop(true);
  return port;
};
