/** An adapter is the file of a tool: where it is published, and a function for each of its abilities. */
import { join } from 'node:path';
import type { Call } from './abilities/call.ts';
import type { Code } from './abilities/code.ts';
import type { Diff } from './abilities/diff.ts';
import type { Forward } from './abilities/forward.ts';
import type { Lint } from './abilities/lint.ts';
import type { Produce } from './abilities/produce.ts';
import type { Resolve } from './abilities/resolve.ts';
import type { Respond } from './abilities/respond.ts';
import type { Rewrite } from './abilities/rewrite.ts';
import type { Sample } from './abilities/sample.ts';
import type { Show } from './abilities/show.ts';
import type { Test } from './abilities/test.ts';
import type { TypeChecks } from './abilities/type-check.ts';
import type { Validate } from './abilities/validate.ts';
import type { Published } from './installation.ts';
import type { Session } from './session.ts';
import type { Verdict } from './verdict.ts';

/**
 * Tools of one kind are asked the same questions. A parser reads a document for other programs, and may check it by the schema of OpenAPI. A
 * validator checks requests and responses at run time, a mock answers requests without a service, and a schema validator checks values by a
 * schema of the document. A producer writes a document from the code of a service, and reads none.
 */
export type Kind =
  | 'linter'
  | 'parser'
  | 'generator'
  | 'validator'
  | 'schema'
  | 'mock'
  | 'producer'
  | 'tester'
  | 'viewer'
  | 'other';

export interface AdapterText extends Published {
  readonly name: string;
  readonly kind: Kind;
  readonly language: string;
  readonly homepage?: string;
  readonly tracker?: string;
  readonly notes?: readonly string[];
  /** CI measures it each time: it is pinned in `map/package.json`, and answers all cases in some seconds. */
  readonly isQuick?: boolean;
  /** Sentences that explain more than the generated one, by feature. Each is shown while its verdict holds, and an answer has the proof. */
  readonly sentences?: Readonly<Record<string, readonly [verdict: Verdict, sentence: string, proof: RegExp]>>;
  readonly abilities: Abilities;
}

export interface Abilities {
  /** Reads the document. Throws a Refusal if the tool does not. Without it, the other abilities show whether the document is read. */
  readonly load?: (session: Session) => Promise<void>;
  readonly validate?: Validate;
  readonly typeCheck?: TypeChecks;
  readonly call?: Call;
  /** Calls operations without being told the base URL of a question, which is where the document is. */
  readonly locate?: Call;
  readonly code?: Code;
  readonly diff?: Diff;
  readonly forward?: Forward;
  readonly lint?: Lint;
  readonly resolve?: Resolve;
  readonly rewrite?: Rewrite;
  readonly sample?: Sample;
  readonly test?: Test;
  readonly show?: Show;
  readonly respond?: Respond;
  readonly produce?: Produce;
}

export interface Adapter extends AdapterText {
  /** The name of the file. */
  readonly id: string;
  readonly path: string;
}

const root = join(import.meta.dir, '../adapters');

export const readAdapters = async (): Promise<Adapter[]> => {
  const files = [...new Bun.Glob('*.ts').scanSync(root)].sort();
  return Promise.all(
    files.map(async (file) => {
      const path = join(root, file);
      const { tool }: { tool: AdapterText } = await import(path);
      return { ...tool, id: file.slice(0, -'.ts'.length), path };
    }),
  );
};
