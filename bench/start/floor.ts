/** The floor: Bun's server alone. */
const server = Bun.serve({ hostname: '127.0.0.1', port: Number(process.env['PORT']), fetch: () => new Response('ok') });
console.log(`listening on ${server.port}`);
