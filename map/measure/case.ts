/**
 * A case is the folder of a feature: the smallest document that uses it, and what each ability of a tool must do with it. Nothing in
 * it depends on a tool or on a language.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { CallCheck } from './abilities/call.ts';
import type { CodeCheck } from './abilities/code.ts';
import type { DiffCheck } from './abilities/diff.ts';
import type { ForwardCheck } from './abilities/forward.ts';
import type { LintCheck } from './abilities/lint.ts';
import type { ProduceQuestion } from './abilities/produce.ts';
import type { ResolveCheck } from './abilities/resolve.ts';
import type { RespondCheck } from './abilities/respond.ts';
import type { RewriteCheck } from './abilities/rewrite.ts';
import type { SampleCheck } from './abilities/sample.ts';
import type { ShowCheck } from './abilities/show.ts';
import type { TestCheck } from './abilities/test.ts';
import type { TypeCheck } from './abilities/type-check.ts';
import type { ValidateCheck } from './abilities/validate.ts';
import { type Document, withValues } from './operation.ts';

export interface CaseText {
  readonly name: string;
  /** The version of OpenAPI that added the feature. */
  readonly since: '3.0' | '3.1' | '3.2';
  /** What the feature means, for a reader who does not know it. */
  readonly meaning: string;
  /** Why a service needs it. */
  readonly why: string;
  /** Where our own document uses it. */
  readonly use?: {
    readonly document: string;
    readonly pointers: readonly string[];
    readonly tests?: readonly TestName[];
  };
  /** Sentences of the specification that decide a check that no tool answers right. */
  readonly specification?: { readonly url: string; readonly quotes: readonly string[] };
  readonly checks: Checks;
  /** Checks of the document with other values at some places. None of them is basic. */
  readonly variants?: readonly Variant[];
  /** What a tool that reads only OpenAPI 3.0 is asked with instead, by JSON Pointer: `enum` for a `const` that is not the feature. */
  readonly changesFor30?: Readonly<Record<string, unknown>>;
  /** The path of a document in this repository, instead of `document.yaml`. */
  readonly ownDocument?: string;
}

export interface Variant {
  /** What is different, for a reader: `with the dialect of JSON Schema`. */
  readonly name: string;
  /** The values by JSON Pointer. A bigint is an exact number. */
  readonly changes: Readonly<Record<string, unknown>>;
  readonly checks: Checks;
}

/** The same questions, where the feature is replaced by its nearest form of OpenAPI 3.0: `control.ts` beside `case.ts`. */
export interface ControlText {
  /** What is there instead of the feature, for a reader: `a list of integers`. */
  readonly name: string;
  /** The values by JSON Pointer, beside the version. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** The path of another document in this repository, which is changed. */
  readonly ownDocument?: string;
  /** Each has the name of a check of the case. */
  readonly checks: Checks;
}

export interface TestName {
  readonly file: string;
  readonly test: string;
}

/** The checks by ability. A tool is asked those of its abilities. */
export interface Checks {
  /** Every tool must read the document. `feature` means that to read it is the feature, such as a version of OpenAPI. */
  readonly load?: 'basic' | 'feature';
  readonly validate?: readonly ValidateCheck[];
  readonly typeCheck?: readonly TypeCheck[];
  readonly call?: readonly CallCheck[];
  readonly locate?: readonly CallCheck[];
  readonly code?: readonly CodeCheck[];
  readonly diff?: readonly DiffCheck[];
  readonly forward?: readonly ForwardCheck[];
  readonly lint?: readonly LintCheck[];
  readonly resolve?: readonly ResolveCheck[];
  readonly rewrite?: readonly RewriteCheck[];
  readonly sample?: readonly SampleCheck[];
  readonly test?: TestCheck;
  readonly show?: readonly ShowCheck[];
  readonly respond?: readonly RespondCheck[];
  readonly produce?: ProduceQuestion;
}

export interface Case extends CaseText {
  readonly id: string;
  readonly folder: string;
  /** The text of `document.yaml`. */
  readonly yaml: string;
  readonly document: Document;
  /** The files beside the document that it names, by name: those in `beside/`. */
  readonly beside: ReadonlyMap<string, string>;
  readonly control?: ControlText;
}

export const controlFile = 'control.ts';

const root = join(import.meta.dir, '../cases');

export const readCases = async (): Promise<Case[]> => {
  const ids = [...new Bun.Glob('*/case.ts').scanSync(root)].map((path) => path.split('/', 1)[0] ?? '').sort();
  return Promise.all(ids.map(readCase));
};

const readCase = async (id: string): Promise<Case> => {
  const folder = join(root, id);
  const { feature }: { feature: CaseText } = await import(join(folder, 'case.ts'));
  const path = feature.ownDocument ? join(root, '../..', feature.ownDocument) : join(folder, 'document.yaml');
  const yaml = await Bun.file(path).text();
  const control = await readControl(join(folder, controlFile));
  return {
    ...feature,
    id,
    folder,
    yaml,
    document: parse(yaml),
    beside: await readBeside(join(folder, 'beside')),
    ...(control && { control }),
  };
};

const readBeside = async (folder: string): Promise<Map<string, string>> => {
  const names = existsSync(folder) ? [...new Bun.Glob('**/*').scanSync(folder)].sort() : [];
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, string]> => [name, await Bun.file(join(folder, name)).text()]),
    ),
  );
};

const readControl = async (path: string): Promise<ControlText | undefined> => {
  if (!existsSync(path)) return undefined;
  const { control }: { control: ControlText } = await import(path);
  return control;
};

/** The same document as one of OpenAPI 3.0.3. */
export const as30 = (feature: Case): Case => {
  const document = withValues(feature.document, { '/openapi': '3.0.3', ...feature.changesFor30 });
  return { ...feature, document, yaml: stringify(document) };
};

/** The case with the document and the checks of a variant. */
export const variantOf = (feature: Case, { changes, checks }: Variant): Case => {
  const document = withValues(feature.document, changes);
  return { ...feature, document, yaml: stringify(document), checks };
};
