/** The JSON Schemas by which Fastify validates requests and serialises responses. */

/** Numbers of JavaScript are exact up to 2⁵³ − 1, so these are the ids that this server accepts. */
const id = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
/** Lengths are in Unicode code points. */
const name = { type: 'string', maxLength: 500 };
const tag = { type: 'string', maxLength: 100 };
const instant = { type: 'string' };

export const newPlant = { type: 'object', required: ['id', 'name'], properties: { id, name, tag } };

export const plant = { type: 'object', required: ['name'], properties: { name, tag } };

export const plantRecord = {
  type: 'object',
  required: ['id', 'name', 'createdAt', 'updatedAt'],
  properties: { id, name, tag, createdAt: instant, updatedAt: instant },
};

export const plantRecords = { type: 'array', items: plantRecord };

export const plantId = {
  type: 'object',
  properties: { id: { type: 'string', pattern: '^(?:0|-?[1-9][0-9]{0,15})$' } },
};

export const page = {
  type: 'object',
  properties: {
    limit: { type: 'string', pattern: '^(?:[1-9][0-9]{0,2}|1000)$', default: '100' },
    after: { type: 'string', maxLength: 32 },
  },
};
