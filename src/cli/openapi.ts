import { type Command, Option } from 'commander';
import { operations } from '../app/app.ts';
import { createDocument } from '../document/document.ts';
import { toYaml } from '../document/yaml.ts';
import type { Context } from './context.ts';

export const addOpenapi = (program: Command, context: Context): void => {
  program
    .command('openapi')
    .description('print the OpenAPI document of a service with the default settings')
    .addOption(new Option('--format <format>', 'output format').choices(['json', 'yaml']).default('yaml'))
    .action((flags) => printDocument(flags, context));
};

const printDocument = ({ format }: { format: 'json' | 'yaml' }, { printText }: Context): void => {
  const document = createDocument(operations);
  printText(format === 'json' ? JSON.stringify(document, null, 2) : toYaml(document).trimEnd());
};
