/** How a tool is asked: its packages, its commands with all options, the files that they read, and the adapter itself. */
import { dirname, join } from 'node:path';
import type { ToolData } from '../measure/data.ts';
import { type NamedFiles, pathOfWritten } from '../measure/files.ts';
import options from '../measure/options.json' with { type: 'json' };
import { Code } from './code.tsx';
import { Text } from './text.tsx';

interface AskedWithProps {
  readonly tool: ToolData;
  readonly named: NamedFiles;
}

export const AskedWith = ({ tool, named }: AskedWithProps) => {
  const [own, ...shared] = sourcesOf(tool.id, named);
  return (
    <section class="asked">
      <h2 id="asked-with">Asked with</h2>
      <ul class="plain">
        {packagesOf(tool).map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
      {waysOf(tool).map((way) => (
        <Code key={way} text={way} />
      ))}
      {filesOf(tool).map(([key, name]) => (
        <p key={key}>
          With the file <a href={`../${pathOfWritten(tool.id, key)}`}>{name}</a>
        </p>
      ))}
      <LookedAt id={tool.id} />
      {own !== undefined && (
        <details>
          <summary>All options, plug-ins and hooks: the adapter</summary>
          <Code text={named.get(own) ?? ''} name={own} copy />
          {shared.length > 0 && (
            <p>
              What it shares with others, and its drivers:{' '}
              {shared.map((path, index) => (
                <span key={path}>
                  {index > 0 && ', '}
                  <a href={`../${path}`}>{path.replace('adapters/', '')}</a>
                </span>
              ))}
            </p>
          )}
        </details>
      )}
    </section>
  );
};

export interface LookedAtOption {
  /** Options, plug-ins or hooks. */
  readonly options: string;
  /** Whether the tool then reads a feature that it fails without, and whether it is asked with them. */
  readonly result: string;
}

/** The options that were looked at, by tool, so that the next reader need not. */
export const lookedAt = new Map<string, readonly LookedAtOption[]>(Object.entries(options));

const LookedAt = ({ id }: { readonly id: string }) => {
  const rows = lookedAt.get(id);
  return rows === undefined ? null : (
    <details>
      <summary>Options that were looked at</summary>
      <ul>
        {rows.map(({ options: names, result }) => (
          <li key={names}>
            <Text text={names} />: <Text text={result} />
          </li>
        ))}
      </ul>
    </details>
  );
};

export const packagesOf = ({ package: name, version, with: others = {} }: ToolData): string[] =>
  Object.entries({ [name]: version, ...others }).map(([one, its]) => `${one} ${its}`);

/** The call of a library, and the commands of all checks, each once. Documents of checks and ports differ from one to the next. */
export const waysOf = ({ verdicts, usage }: ToolData): string[] => {
  const commands = verdicts
    .flatMap(({ checks }) => checks.map(({ command }) => command))
    .filter((command) => command !== '' && command !== usage)
    .map((command) =>
      command
        .replaceAll(/\b127\.0\.0\.1:\d+(?:\/q\d+)?/g, '127.0.0.1:8080')
        .replaceAll(/\b(mistake|changed)-\d+\.json/g, '$1-1.json'),
    );
  return [...(usage === undefined ? [] : [usage]), ...new Set(commands)];
};

/** What the adapter writes for the commands: a file of each name. */
const filesOf = ({ verdicts }: ToolData): [key: string, name: string][] => {
  const all = verdicts.flatMap(({ checks }) => checks.flatMap(({ files = {} }) => Object.entries(files)));
  return [...new Map(all)].map(([name, key]) => [key, name]);
};

/** The adapter, and the files that it imports or names, by their paths in the site. */
export const sourcesOf = (id: string, named: NamedFiles): string[] => {
  const found = new Set<string>();
  const visit = (path: string): void => {
    const text = named.get(path);
    if (text === undefined || found.has(path)) return;
    found.add(path);
    if (path.endsWith('.ts'))
      for (const [, name = ''] of text.matchAll(/["']([\w./-]+\.(?:ts|go|java))["']/g))
        visit(join(dirname(path), name));
  };
  visit(`adapters/${id}.ts`);
  return [...found];
};
