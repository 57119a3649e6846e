/** Which errors in a driver in Python are answers of the tool. */
import { expect, test } from 'bun:test';
import { askPython } from '../adapters/shared/python.ts';
import type { Installation } from './installation.ts';
import { openSession } from './session.ts';

const installation: Installation = {
  version: '1.0.0',
  folder: '/nowhere',
  usage: '',
  program: (name) => [name],
  shown: (name) => name,
  import: () => Promise.reject(new Error('nothing is installed')),
};

const ask = async (expression: string) => {
  using session = await openSession(installation, { yaml: '', document: {} });
  await Bun.write(session.file('tool.py'), 'def read(text):\n    return {"value": int(text)}\n');
  await Bun.write(session.file('broken.py'), 'def read(text) return\n');
  return await askPython(session, [{}], `import json\n\ndef ask(_):\n    import tool\n    ${expression}\n`);
};

test.each(["return tool.read('x')", "import broken\n    return broken.read('1')"])(
  'an error of the tool is its answer: %s',
  async (expression) => {
    expect(await ask(expression)).toEqual([{ error: expect.stringMatching(/^(?:ValueError|SyntaxError): /) }]);
  },
);

test.each(["return tool.read('1', 2)", "return {}['x']", "return json.loads('x')"])(
  'an error of the driver stops the measurement: %s',
  async (expression) => {
    await expect(ask(expression)).rejects.toThrow(/Error/);
  },
);
