/** That a program serves the pages for browsers, with their files, which it has inside. */
import { expect } from 'bun:test';

const get = (url: string, path: string): Promise<Response> => fetch(`${url}/${path}`);

const textOf = async (url: string, path: string): Promise<string> => (await get(url, path)).text();

const sizeOf = async (url: string, path: string): Promise<number> => (await (await get(url, path)).bytes()).length;

export const expectPages = async (url: string): Promise<void> => {
  const [script = ''] = /swagger-assets\/[^"]+\.js(?=")/.exec(await textOf(url, 'swagger')) ?? [];
  expect(await sizeOf(url, script)).toBeGreaterThan(1_000_000);
  const files = [...(await textOf(url, 'swagger?ui=swagger')).matchAll(/swagger-assets\/[^"]+/g)];
  expect(files).toHaveLength(2);
  for (const [path] of files) expect(await sizeOf(url, path)).toBeGreaterThan(100_000);
  expect(await textOf(url, 'console')).toContain('console-assets/console.js');
  expect(await textOf(url, 'lessons')).toContain('Learn OpenAPI 3.1');
  expect(await sizeOf(url, 'console-assets/console.js')).toBeGreaterThan(10_000);
};
