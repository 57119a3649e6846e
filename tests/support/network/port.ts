import { randomInt } from 'node:crypto';

/**
 * A free port of this machine, for programs that cannot choose one. It is below the ephemeral ports
 * (RFC 6335 §6; on Linux from 32768), so that no other test gets it meanwhile.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    try {
      await Bun.serve({ port, hostname: '127.0.0.1', fetch: () => new Response() }).stop(true);
      return port;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
  }
};
