/** The floor: gathers events for 50 ms, encodes them once, and writes them to each stream. `POST /plants` adds an event. It stores nothing. */
const gatherMs = 50;
const controllers = new Set<ReadableStreamDefaultController<Uint8Array>>();
const encoder = new TextEncoder();
let gathered = '';
let sequence = 0;

const flush = (): void => {
  const block = encoder.encode(gathered);
  gathered = '';
  for (const controller of controllers) controller.enqueue(block);
};

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env['PORT']),
  idleTimeout: 0,
  routes: {
    '/readyz': () => new Response('ok'),
    '/events': () => {
      let own: ReadableStreamDefaultController<Uint8Array>;
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => {
          own = controller;
          controllers.add(controller);
          controller.enqueue(encoder.encode(':\n\n'));
        },
        cancel: () => void controllers.delete(own),
      });
      return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
    },
    '/plants': {
      POST: async (request) => {
        const { id, name, tag } = (await request.json()) as { id: number; name: string; tag: string };
        sequence += 1;
        const data = JSON.stringify({
          eventId: `evt_${sequence}_abcdefghijklmnop`,
          sequence,
          type: 'plant.created',
          timestamp: new Date(),
          plant: { id, name, tag },
        });
        if (gathered === '') setTimeout(flush, gatherMs);
        gathered += `id: evt_${sequence}_abcdefghijklmnop\nevent: plant.created\ndata: ${data}\n\n`;
        return Response.json({ name, tag });
      },
    },
  },
});
console.log(`listening on ${server.port}`);
