/**
 * Accepts every message immediately. `GET /` returns the number of different messages at all paths, `DELETE /` forgets them, and fails
 * if a message has come twice: then the turn does not count.
 */
const received = new Set<string>();
let messages = 0;

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env['PORT']),
  fetch: (request) => {
    const id = request.headers.get('webhook-id');
    if (id !== null) {
      messages += 1;
      received.add(`${id} ${request.url}`);
      return new Response(null, { status: 204 });
    }
    const counts = { messages, different: received.size };
    if (request.method === 'DELETE') {
      received.clear();
      messages = 0;
    }
    return Response.json(counts);
  },
});
console.log(`listening on ${server.port}`);
