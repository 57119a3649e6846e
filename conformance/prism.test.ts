/** Prism is a proxy between a client and the server, and refuses requests and responses that do not match the document. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi-typescript.ts';
import { startPrism } from './prism.ts';
import { engines, startService } from './service.ts';
import { walk } from './walk.ts';

test.each(engines)(
  'Prism finds no violation in calls of every operation on $name, and refuses an invalid request',
  async (engine) => {
    await using service = await startService(engine);
    using prism = await startPrism(join(import.meta.dir, '../openapi/openapi.yaml'), service.url);
    const headers = { authorization: `Bearer ${service.token}` };
    await walk(createClient<paths, 'application/json'>({ baseUrl: prism.url, headers }));
    expect(prism.output()).not.toMatch(/violation|terminated with error/i);

    const wrong = await fetch(`${prism.url}/plants`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"id":"1","name":"n"}',
    });
    expect(wrong.status).toBe(422);
  },
);
