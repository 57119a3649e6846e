/** Asks a tool the checks of a case. */
import { askCall } from './abilities/call.ts';
import { askCode } from './abilities/code.ts';
import { askDiff } from './abilities/diff.ts';
import { askForward } from './abilities/forward.ts';
import { askLint } from './abilities/lint.ts';
import { askProduce } from './abilities/produce.ts';
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
import { type ControlAnswers, loadName } from './control.ts';
import type { Installation } from './installation.ts';
import { openSession, Refusal, type Session } from './session.ts';
import { answersToVariant } from './variant.ts';

/** The results of the checks that the tool can be asked. Anything that is thrown is an error of the adapter or of the case. */
export const measure = async (
  adapter: Adapter,
  installation: Installation,
  feature: Case,
  keep?: Keep,
): Promise<CheckResult[]> => {
  const results = await measureDocument(adapter, installation, feature, keep);
  for (const variant of feature.variants ?? []) {
    const { name } = variant;
    const ofVariant = keep && { ...keep, asked: (one: AskedSession) => keep.asked({ ...one, variant: name }) };
    const answers = await measureDocument(adapter, installation, variantOf(feature, variant), ofVariant);
    results.push(...answersToVariant(answers, variant));
  }
  return results;
};

/** To look at each session of a measurement, in a folder that stays if it is given. */
export interface Keep {
  readonly folderOf?: (ability: string) => string;
  readonly asked: (asked: AskedSession) => Promise<void>;
}

export interface AskedSession {
  readonly session: Session;
  readonly ability: string;
  readonly variant?: string;
  readonly results: readonly CheckResult[];
}

/** The answers to the questions of a control, by ability. */
export const measureControl = async (
  adapter: Adapter,
  installation: Installation,
  control: Case,
): Promise<ControlAnswers> => {
  const answers: Record<string, readonly CheckResult[]> = {};
  const asked = async ({ ability, results }: AskedSession) => {
    answers[ability] = results.filter(({ check }) => check !== loadName);
  };
  const [load] = await measure(adapter, installation, control, { asked });
  return { ...(load && { load: [load] }), ...answers };
};

const measureDocument = async (
  { abilities }: Adapter,
  installation: Installation,
  feature: Case,
  keep?: Keep,
): Promise<CheckResult[]> => {
  const askers = askersOf(abilities, feature.checks);
  if (askers.length === 0 && abilities.load === undefined) return [];
  const results: CheckResult[] = [];
  let asked: Asked = { commands: [], runs: [], files: new Map(), installation };
  let refusal: Refusal | undefined;
  for (const { ability, ask } of [...loaderOf(abilities), ...askers]) {
    using session = await openSession(installation, feature, keep?.folderOf?.(ability));
    const own: CheckResult[] = [];
    try {
      own.push(...(await ask(session)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal = error;
      own.push(loadResult(feature, session, refusal));
    }
    await keep?.asked({ session, ability, results: own });
    if (!refusal) results.push(...own);
    if (asked.commands.length === 0 || refusal) asked = session;
    if (refusal) break;
  }
  // A producer reads no document.
  return abilities.produce === undefined ? [loadResult(feature, asked, refusal), ...results] : results;
};

interface Asker {
  readonly ability: string;
  readonly ask: (session: Session) => Promise<readonly CheckResult[]>;
}

const loaderOf = ({ load }: Abilities): Asker[] =>
  load === undefined ? [] : [{ ability: 'load', ask: async (session) => load(session).then(() => []) }];

const loadResult = ({ checks }: Case, asked: Asked, refusal?: Refusal): CheckResult =>
  resultOf(
    asked,
    { check: loadName, isBasic: checks.load !== 'feature' },
    {
      input: 'openapi.yaml',
      expected: 'read',
      observed: refusal?.observed ?? 'read',
      line: refusal && decidingLine(refusal.message),
      grade: refusal ? 'wrong' : 'right',
    },
  );

/** A function for each ability that both the tool and the case have. */
const askersOf = (abilities: Abilities, checks: Checks): Asker[] => {
  const asker = <A, C>(name: string, ability: A | undefined, check: C | undefined, ask: Asking<A, C>): Asker[] =>
    ability === undefined || check === undefined
      ? []
      : [{ ability: name, ask: (session) => ask(session, ability, check) }];
  return [
    ...asker('validate', abilities.validate, checks.validate, askValidate),
    ...asker('typeCheck', abilities.typeCheck, checks.typeCheck, askTypeChecks),
    ...asker('call', abilities.call, checks.call, askCall),
    ...asker('locate', abilities.locate, checks.locate, askCall),
    ...asker('code', abilities.code, checks.code, askCode),
    ...asker('diff', abilities.diff, checks.diff, askDiff),
    ...asker('forward', abilities.forward, checks.forward, askForward),
    ...asker('lint', abilities.lint, checks.lint, askLint),
    ...asker('resolve', abilities.resolve, checks.resolve, askResolve),
    ...asker('rewrite', abilities.rewrite, checks.rewrite, askRewrite),
    ...asker('sample', abilities.sample, checks.sample, askSample),
    ...asker('test', abilities.test, checks.test, askTest),
    ...asker('show', abilities.show, checks.show, askShow),
    ...asker('respond', abilities.respond, checks.respond, askRespond),
    ...asker('produce', abilities.produce, checks.produce, askProduce),
  ];
};

type Asking<A, C> = (session: Session, ability: A, checks: C) => Promise<readonly CheckResult[]>;
