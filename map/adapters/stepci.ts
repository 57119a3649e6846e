import type { AdapterText } from '../measure/adapter.ts';
import { decidingLine } from '../measure/check.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { linkPackages } from './shared/packages.ts';

const env = { STEPCI_DISABLE_ANALYTICS: '1' };
const stepci = ['node', 'node_modules/.bin/stepci'];

/** A workflow needs an absolute base URL: a user writes the host ahead of the server of the document. */
const addHost = async ({ file }: Session, url: string): Promise<void> => {
  const workflow = await Bun.file(file('workflow.yml')).text();
  const withHost = workflow.replace(
    /http: \{\}|http:\n +baseURL: (.*)/,
    (_, server = '') => `http: { baseURL: "${url}${server}" }`,
  );
  await Bun.write(file('workflow.yml'), withHost);
};

/** The error, without the lines of source and of the stack around it. One of the parser is printed as an object. */
const errorIn = (text: string): string =>
  /^\s*stack: '(\w*Error: .*?)\\n' \+$/m.exec(text)?.[1] ??
  /^\w*Error: [\s\S]*?(?=\n\s+at |$(?![\s\S]))/m.exec(text)?.[0] ??
  text;

/** An error of the runner, or all checks that fail with what was expected and given. */
const failureIn = (text: string): string | undefined =>
  (/^⚠︎ .*\n+([\s\S]*?)(?=\n\s*\n|^Tests:)/m.exec(text)?.[1] ?? /^✕ [\s\S]*?(?=^Tests:)/m.exec(text)?.[0])
    ?.replaceAll(/\s+/g, ' ')
    .trim();

export const tool: AdapterText = {
  name: 'Step CI',
  kind: 'tester',
  language: 'TypeScript',
  registry: 'npm',
  package: 'stepci',
  version: '2.8.2',
  needs: ['node', 'timeout'],
  homepage: 'https://stepci.com/',
  tracker: 'https://github.com/stepci/stepci/issues',
  notes: ['By default it expects exactly the example of a response. It is measured with `--checkExamples=false`.'],
  abilities: {
    test: async (session, url) => {
      linkPackages(session);
      // It does not end for every schema.
      const generate = ['generate', 'openapi.yaml', 'workflow.yml', '--checkExamples=false'];
      const generated = await session.run(['timeout', '--verbose', '60', ...stepci, ...generate], {
        env,
        mayFail: true,
      });
      if (generated.exitCode !== 0) throw new Refusal(errorIn(generated.text));
      await addHost(session, url);
      const { text, exitCode } = await session.run([...stepci, 'run', 'workflow.yml'], { env, mayFail: true });
      if (!text.includes('Tests:')) throw new Refusal(text);
      return { hasPassed: exitCode === 0, line: failureIn(text) ?? decidingLine(text, /^Tests:/) };
    },
  },
};
