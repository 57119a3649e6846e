/** The ceiling: only Bun.serve. It parses a create, and responds with constant bodies. It has no tokens, no store and no log. */
const created = { name: 'Monstera', tag: 'tropical' };
const instant = '2026-05-01T09:30:00.000Z';
const record = { id: 1, ...created, createdAt: instant, updatedAt: instant };
const records = Array.from({ length: 100 }, () => record);

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env['PORT']),
  routes: {
    '/plants': {
      POST: async (request) => {
        await request.json();
        return Response.json(created);
      },
      GET: () => Response.json(records),
    },
    '/plants/:id': { GET: () => Response.json(record) },
  },
});
console.log(`listening on ${server.port}`);
