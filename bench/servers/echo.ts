/** The ceiling: a bare Bun.serve that keeps nothing. A create is parsed and answered, a plant is answered from memory. */
const plant = { id: 1, name: 'Monstera', tag: 'tropical' };
const server = Bun.serve({
  port: Number(process.env['PORT']),
  routes: {
    '/plants': {
      POST: async (request) => Response.json(await request.json()),
      GET: () => Response.json(Array.from({ length: 100 }, () => plant)),
    },
    '/plants/:id': { GET: () => Response.json(plant) },
  },
});
console.log(`listening on ${server.port}`);
