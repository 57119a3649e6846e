/** Accepts every webhook immediately. */
const server = Bun.serve({ port: Number(process.env['PORT']), fetch: () => new Response(null, { status: 204 }) });
console.log(`listening on ${server.port}`);
