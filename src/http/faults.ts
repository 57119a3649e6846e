/**
 * What is invalid in a body or a query, as failures with `details`, so that a form can show each fault at its field. The message of a
 * failure is about the first fault.
 */
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { type Failure, type FailureDetail, invalidBody, invalidQuery } from '../base/app-error.ts';
import { isChecked, ruleOf, type TObject, type TSchema } from './schema.ts';

/** An invalid member or parameter, and the rule that it breaks, such as `must be an integer`. */
export interface Fault {
  readonly name: string;
  readonly rule: string;
}

const ruleOfBody = 'must be a JSON object';
export const notObject: Failure<'invalid_body'> = {
  ...invalidBody(`The body ${ruleOfBody}.`),
  details: [{ pointer: '', message: ruleOfBody }],
};

export const toMessage = ({ name, rule }: Fault): string => `/${name} ${rule}.`;

export const invalidMembers = (first: Fault, ...others: readonly Fault[]): Failure<'invalid_body'> => ({
  ...invalidBody(toMessage(first)),
  details: [first, ...others].map(({ name, rule }) => ({ pointer: `/${name}`, message: rule })),
});

export const invalidParameters = (first: Fault, ...others: readonly Fault[]): Failure<'invalid_query'> => ({
  ...invalidQuery(
    `${first.name === unnamed ? 'A query parameter' : `The query parameter ${first.name}`} ${first.rule}.`,
  ),
  details: toDetails([first, ...others]),
});

export const invalidHeaders = (first: Fault, ...others: readonly Fault[]): Failure<'invalid_query'> => ({
  ...invalidQuery(`The header ${first.name} ${first.rule}.`),
  details: toDetails([first, ...others]),
});

const toDetails = (faults: readonly Fault[]): FailureDetail[] | undefined => {
  const named = faults.filter(({ name }) => name !== unnamed);
  return named.length > 0 ? named.map(({ name, rule }) => ({ parameter: name, message: rule })) : undefined;
};

/** Instead of the name of a parameter that a response must not repeat. */
const unnamed = '';

/** Names the parameter if its name is short and has only the characters of usual names. A longer one can be a token. */
export const unknownParameter = (name: string, known: readonly string[]): Fault => ({
  name: /^[\w.$[\]-]{1,32}$/.test(name) ? name : unnamed,
  rule: `does not exist; the operation has ${known.length > 0 ? known.join(', ') : 'none'}`,
});

/** The invalid members of an object that does not match the schema: first those that are missing, each in the order of the schema. */
export const faultsIn = (schema: TObject, value: object): Fault[] => {
  const values: Readonly<Record<string, unknown>> = { __proto__: null, ...value };
  const members = membersOf(schema);
  const lacking = members.filter(({ name, isRequired }) => isRequired && values[name] === undefined);
  const invalid = members.filter(({ name, compiled }) => values[name] !== undefined && !compiled.Check(values[name]));
  return [...lacking.map(({ fault }) => missing(fault)), ...invalid.map(({ fault }) => fault)];
};

/** Without the further faults of a member or parameter that has one already. */
export const firstOfEach = (faults: readonly Fault[]): Fault[] =>
  [...Map.groupBy(faults, ({ name }) => name).values()].flatMap(([first = []]) => first);

const membersOf = (schema: TObject): readonly Member[] => {
  const known = membersBySchema.get(schema);
  if (known) return known;
  const members = Object.entries(schema.properties)
    .filter(([, member]) => isChecked(member))
    .map(([name, member]) => ({
      name,
      isRequired: member.default === undefined && (schema.required ?? []).includes(name),
      fault: toFault([name, member]),
      compiled: TypeCompiler.Compile(member),
    }));
  membersBySchema.set(schema, members);
  return members;
};

/** A schema is compiled once. */
const membersBySchema = new WeakMap<TObject, readonly Member[]>();

interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly fault: Fault;
  readonly compiled: TypeCheck<TSchema>;
}

const toFault = ([name, schema]: [string, TSchema]): Fault => ({ name, rule: ruleOf(schema) });

/** The fault of any invalid value, of each member or parameter that can be invalid. */
export const faultsOf = ({ properties }: TObject): Fault[] =>
  Object.entries(properties)
    .filter(([, schema]) => isChecked(schema))
    .map(toFault);

/** The fault of any invalid value of this member or parameter. */
export const faultOf = <Name extends string>(
  { properties }: { readonly properties: Readonly<Record<Name, TSchema>> },
  name: Name,
): Fault => toFault([name, properties[name]]);

/** The fault of a value that lacks this member. */
export const missing = ({ name, rule }: Fault): Fault => ({ name, rule: `is required and ${rule}` });
