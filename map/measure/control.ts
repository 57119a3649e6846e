/**
 * The control of a case, `cases/<feature>/control.ts`: the same questions, where the feature is replaced by its nearest form of OpenAPI 3.0. A
 * tool that fails the control of a check cannot be asked the check: what it fails is not the feature.
 */
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Abilities, Adapter, Kind } from './adapter.ts';
import type { Case, Checks } from './case.ts';
import type { CheckResult } from './check.ts';
import { withValues } from './operation.ts';

/** Of one control, by ability: `load` has the answer to whether the document is read. */
export type ControlAnswers = Readonly<Record<string, readonly CheckResult[]>>;

export const controlledKinds: readonly Kind[] = ['tester', 'mock', 'validator', 'generator'];

/** The other abilities read the feature itself, such as its description. */
export const controlledAbilities = ['validate', 'typeCheck', 'call', 'locate', 'code', 'test', 'respond'] as const;

/** The case as that of the control, in OpenAPI 3.0.3. */
export const controlOf = async (feature: Case): Promise<Case | undefined> => {
  const { control, folder } = feature;
  if (control === undefined) return undefined;
  const { ownDocument, changes, checks } = control;
  const base =
    ownDocument === undefined
      ? feature.document
      : parse(await Bun.file(join(folder, '../../..', ownDocument)).text(), { intAsBigInt: true });
  const document = withValues(base, { '/openapi': '3.0.3', ...changes });
  return { ...feature, document, yaml: stringify(document), checks, variants: [] };
};

/** The tool with the abilities that failed a check. All of them, if it has not read the document. */
export const failedOnly = (adapter: Adapter, feature: Case, checks: readonly CheckResult[]): Adapter | undefined => {
  const failed = checks.filter(({ grade }) => grade !== 'right').map(({ check }) => check);
  if (failed.length === 0 || !controlledKinds.includes(adapter.kind)) return undefined;
  const isFailed = (names: readonly string[]) => failed.some((one) => names.some((name) => isNamed(one, name)));
  const isAsked = (ability: (typeof controlledAbilities)[number]) =>
    isFailed([loadName, ...[feature, ...(feature.variants ?? [])].flatMap((one) => namesOf(one.checks, ability))]);
  const all = Object.entries(adapter.abilities).filter(
    ([name]) => name === 'load' || controlledAbilities.some((ability) => ability === name && isAsked(ability)),
  );
  return all.length === 0 ? undefined : { ...adapter, abilities: Object.fromEntries(all) satisfies Abilities };
};

export const loadName = 'the document';
const rightServer = 'a server that is right';

/** The names of the checks of an ability. */
export const namesOf = (checks: Checks, ability: (typeof controlledAbilities)[number]): string[] => {
  if (ability !== 'test') return (checks[ability] ?? []).map(({ check }) => check);
  const { broken = [], sends = [] } = checks.test ?? {};
  return checks.test === undefined ? [] : [rightServer, ...[...broken, ...sends].map(({ check }) => check)];
};

/** A check of a variant has the name of the variant behind its own. */
const isNamed = (check: string, name: string): boolean => check === name || check.startsWith(`${name}, `);

/**
 * Marks the checks that the tool cannot be asked. Where a basic check of the control fails, no check of its ability tells anything: a tester
 * that sends nothing to a server which is right finds no mistake of another one.
 */
export const withControl = (checks: readonly CheckResult[], control: ControlAnswers = {}): readonly CheckResult[] => {
  const dropped = Object.values(control).flatMap((results) => {
    const failed = results.filter(({ grade }) => grade !== 'right');
    return failed.some(({ isBasic }) => isBasic) ? results : failed;
  });
  const isRefused = (control['load'] ?? []).some(({ grade }) => grade !== 'right');
  return checks.map((one) =>
    isRefused || dropped.some(({ check }) => check !== loadName && isNamed(one.check, check))
      ? { ...one, isUnasked: true as const }
      : one,
  );
};

/** The answer of the control that says why: the first that is not right, and a basic one before all others. */
export const decidingControl = (control: ControlAnswers): CheckResult | undefined => {
  const failed = Object.values(control)
    .flat()
    .filter(({ grade }) => grade !== 'right');
  return failed.find(({ isBasic }) => isBasic) ?? failed[0];
};
