/** The command of orval. It follows references to the files alone that its configuration permits. */
import type { Session } from '../../measure/session.ts';
import { isInFiles, schemasBeside } from './files.ts';

export const generateByOrval = async (session: Session, client: 'fetch' | 'zod'): Promise<void> => {
  if (isInFiles(session)) return generateWith(session, { target: 'api.ts', client });
  await session.run(['orval', '--input', 'openapi.yaml', '--output', 'api.ts', '--client', client]);
};

/** With a configuration, which has more options than the command. */
export const generateWith = async (session: Session, output: object): Promise<void> => {
  const allow = schemasBeside(session).map(([path]) => path);
  const input =
    allow.length === 0 ? 'openapi.yaml' : { target: 'openapi.yaml', parserOptions: { externalRefs: { allow } } };
  const configuration = JSON.stringify({ api: { input, output } });
  await Bun.write(session.file('orval.config.mjs'), `export default ${configuration}`);
  await session.run(['orval', '--config', 'orval.config.mjs']);
};
