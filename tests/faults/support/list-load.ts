/**
 * Clients that read one list again and again, and end after their last response when the input of the process ends. It is a process of its
 * own, so that it does not delay the requests whose time a trial measures. Prints how often each status was received.
 *
 *     bun tests/faults/support/list-load.ts URL TOKEN CLIENTS
 */
const [url = '', token = '', clients = '1'] = process.argv.slice(2);
const headers = { authorization: `Bearer ${token}` };
const statuses: Record<string, number> = {};
let isOver = false;

/** Pauses after a 503, as it says. */
const read = async (): Promise<void> => {
  while (!isOver) {
    let status = 'lost';
    let pauseMs = 0;
    try {
      const response = await fetch(url, { headers });
      status = `${response.status}`;
      pauseMs = 1000 * Number(response.headers.get('retry-after') ?? 0);
      await response.arrayBuffer();
    } catch {}
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (pauseMs > 0 && !isOver) await Bun.sleep(pauseMs);
  }
};

const reading = Array.from({ length: Number(clients) }, read);
await Bun.stdin.text();
isOver = true;
await Promise.all(reading);
console.log(JSON.stringify(statuses));
process.exit();
