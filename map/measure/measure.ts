/** Asks a tool the checks of a case. */
import { askCall } from './abilities/call.ts';
import { askCode } from './abilities/code.ts';
import { askDiff } from './abilities/diff.ts';
import { askForward } from './abilities/forward.ts';
import { askLint } from './abilities/lint.ts';
import { askResolve } from './abilities/resolve.ts';
import { askRespond } from './abilities/respond.ts';
import { askRewrite } from './abilities/rewrite.ts';
import { askSample } from './abilities/sample.ts';
import { askShow } from './abilities/show.ts';
import { askTest } from './abilities/test.ts';
import { askTypeChecks } from './abilities/type-check.ts';
import { askValidate } from './abilities/validate.ts';
import type { Abilities, Adapter } from './adapter.ts';
import { type Case, type Checks, variantOf } from './case.ts';
import { type Asked, type CheckResult, decidingLine, resultOf } from './check.ts';
import type { Installation } from './installation.ts';
import { openSession, Refusal, type Session } from './session.ts';
import { answersToVariant } from './variant.ts';

/** The results of the checks that the tool can be asked. Anything that is thrown is an error of the adapter or of the case. */
export const measure = async (adapter: Adapter, installation: Installation, feature: Case): Promise<CheckResult[]> => {
  const results = await measureDocument(adapter, installation, feature);
  for (const variant of feature.variants ?? []) {
    results.push(
      ...answersToVariant(await measureDocument(adapter, installation, variantOf(feature, variant)), variant),
    );
  }
  return results;
};

const loadCheck = 'the document';

const measureDocument = async (
  { abilities }: Adapter,
  installation: Installation,
  feature: Case,
): Promise<CheckResult[]> => {
  const askers = askersOf(abilities, feature.checks);
  if (askers.length === 0 && abilities.load === undefined) return [];
  const results: CheckResult[] = [];
  let commands: readonly string[] = [];
  let refusal: Refusal | undefined;
  for (const ask of [abilities.load && loadOnly(abilities.load), ...askers]) {
    if (ask === undefined) continue;
    using session = await openSession(installation, feature);
    try {
      results.push(...(await ask(session)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal = error;
    }
    if (commands.length === 0 || refusal) commands = session.commands;
    if (refusal) break;
  }
  return [loadResult(feature, { commands, installation }, refusal), ...results];
};

type Ask = (session: Session) => Promise<readonly CheckResult[]>;

const loadOnly =
  (load: NonNullable<Abilities['load']>): Ask =>
  async (session) => {
    await load(session);
    return [];
  };

const loadResult = ({ checks }: Case, asked: Asked, refusal?: Refusal): CheckResult =>
  resultOf(
    asked,
    { check: loadCheck, isBasic: checks.load !== 'feature' },
    {
      input: 'openapi.yaml',
      expected: 'read',
      observed: refusal ? 'refused' : 'read',
      line: refusal && decidingLine(refusal.message),
      grade: refusal ? 'wrong' : 'right',
    },
  );

/** A function for each ability that both the tool and the case have. */
const askersOf = (abilities: Abilities, checks: Checks): Ask[] => {
  const asker = <A, C>(ability: A | undefined, check: C | undefined, ask: Asking<A, C>): Ask[] =>
    ability === undefined || check === undefined ? [] : [(session) => ask(session, ability, check)];
  return [
    ...asker(abilities.validate, checks.validate, askValidate),
    ...asker(abilities.typeCheck, checks.typeCheck, askTypeChecks),
    ...asker(abilities.call, checks.call, askCall),
    ...asker(abilities.locate, checks.locate, askCall),
    ...asker(abilities.code, checks.code, askCode),
    ...asker(abilities.diff, checks.diff, askDiff),
    ...asker(abilities.forward, checks.forward, askForward),
    ...asker(abilities.lint, checks.lint, askLint),
    ...asker(abilities.resolve, checks.resolve, askResolve),
    ...asker(abilities.rewrite, checks.rewrite, askRewrite),
    ...asker(abilities.sample, checks.sample, askSample),
    ...asker(abilities.test, checks.test, askTest),
    ...asker(abilities.show, checks.show, askShow),
    ...asker(abilities.respond, checks.respond, askRespond),
  ];
};

type Asking<A, C> = (session: Session, ability: A, checks: C) => Promise<readonly CheckResult[]>;
