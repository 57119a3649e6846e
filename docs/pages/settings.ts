/** docs/settings.md, from the list of settings. */
import { type Setting, settings } from '../../src/config/settings.ts';
import { code, item } from './markdown.ts';

export const renderSettings = (): string => `# Settings

A setting comes from its flag on the [command line](command-line.md), else from the environment, else from the default, if it has one. Its
values are in brackets. When one is invalid, the program exits with code 2, and the message names the setting or the flag.
[\`plant-store settings\`](command-line.md#settings) prints each value that serve would use, without secrets, and its source.
A variable that looks like a setting and is none, such as \`CORS_ORIGIN\`, is named by \`settings\`, and by a warning of serve.

${Object.values(settings).map(itemOf).join('\n')}

The exporter of traces also reads [OpenTelemetry's own settings](operations.md#traces). No \`PG…\` variable of PostgreSQL's clients is read.
`;

const itemOf = ({ name, flag, default: otherwise = '', kind, meaning }: Setting): string => {
  const names = flag === undefined ? code(name) : `${code(name)}, ${code(flag)}`;
  const value = otherwise === '' ? kind.words : `${kind.words}; default ${code(otherwise)}`;
  return item(`${names}: ${meaning} (${value})`);
};
