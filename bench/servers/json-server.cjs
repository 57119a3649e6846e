/** json-server as a module (https://github.com/typicode/json-server/tree/v0), on a file that it writes anew for each create. */
const { writeFileSync } = require('node:fs');
const jsonServer = require('json-server');

const file = process.env.DATABASE.replace(/sqlite$/, 'json');
writeFileSync(file, '{"plants":[]}');
const server = jsonServer.create();
server.use(jsonServer.bodyParser);
server.use(jsonServer.router(file));
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log(`listening on ${process.env.PORT}`));
