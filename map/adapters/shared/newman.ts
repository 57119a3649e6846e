/** Newman runs a collection of Postman. */
import { decidingLine } from '../../measure/check.ts';
import { Refusal, type Session } from '../../measure/session.ts';

interface Collection {
  readonly variable?: readonly { readonly key: string; readonly value: string }[];
}

/** Runs `collection.json`. Its server may be relative, and is then one at the URL. */
export const runCollection = async ({ run, file }: Session, url: string) => {
  const { variable = [] }: Collection = await Bun.file(file('collection.json')).json();
  const base = variable.find(({ key }) => key === 'baseUrl')?.value ?? '';
  const server = base.startsWith('/') ? `${url}${base}`.replace(/\/$/, '') : url;
  const { text, exitCode } = await run(['newman', 'run', 'collection.json', '--env-var', `baseUrl=${server}`], {
    mayFail: true,
  });
  if (!text.includes('assertions')) throw new Refusal(text);
  const hasPassed = exitCode === 0;
  return {
    hasPassed,
    ...(!hasPassed && { line: decidingLine(text, /AssertionError|error:/i).replaceAll(/\s+/g, ' ') }),
  };
};
