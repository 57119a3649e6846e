import { type Command, Option } from 'commander';
import { createDocument, toYaml } from '../document/document.ts';
import { operations } from '../http/app.ts';
import { printText } from './output.ts';

export const addOpenapi = (program: Command): void => {
  program
    .command('openapi')
    .description('print the OpenAPI document of the service')
    .addOption(new Option('--format <format>', 'output format').choices(['json', 'yaml']).default('yaml'))
    .action(printDocument);
};

const printDocument = ({ format }: { format: 'json' | 'yaml' }): void => {
  const document = createDocument(operations);
  printText(format === 'json' ? JSON.stringify(document, null, 2) : toYaml(document).trimEnd());
};
