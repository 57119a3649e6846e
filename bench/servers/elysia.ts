/** Elysia alone, with validation, as https://elysiajs.com/essential/validation has it; it keeps nothing. */
import { Elysia, t } from 'elysia';

const plant = t.Object({
  id: t.Integer(),
  name: t.String({ maxLength: 500 }),
  tag: t.Optional(t.String({ maxLength: 100 })),
});
const example = { id: 1, name: 'Monstera', tag: 'tropical' };

new Elysia()
  .post('/plants', ({ body: { name, tag } }) => ({ name, tag }), { body: plant })
  .get('/plants', () => Array.from({ length: 100 }, () => example))
  .get('/plants/:id', () => example, { params: t.Object({ id: t.Integer() }) })
  .listen(Number(process.env['PORT']), ({ port }) => console.log(`listening on ${port}`));
