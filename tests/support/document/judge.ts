/** Judges values by the schemas of a document, with an independent validator. */
import {
  type Output,
  registerSchema,
  unregisterSchema,
  type Validator,
  validate,
} from '@hyperjump/json-schema/openapi-3-1';

/** Registers the document at a URI that no other document has. */
export const createJudge = (document: { readonly jsonSchemaDialect: string }, uri: string) => {
  registerSchema(JSON.parse(JSON.stringify(document)), uri, document.jsonSchemaDialect);

  /** By the text of the schema, since compiling one takes far longer than using it. */
  const judges = new Map<string, Judge>();
  /** The same, by the schema itself, whose text may be long. */
  const judgesOfSchemas = new WeakMap<object, Judge>();

  const judgeOf = (schema: object): Judge => {
    const known = judgesOfSchemas.get(schema);
    if (known) return known;
    const text = JSON.stringify(schema);
    const judge = judges.get(text) ?? { validator: compile(text), fitting: new Set() };
    judges.set(text, judge);
    judgesOfSchemas.set(schema, judge);
    return judge;
  };

  /** The schema may refer to the components of the document. */
  const compile = async (text: string): Promise<Validator> => {
    const here = `${uri}/${judges.size}`;
    const whole = JSON.parse(text.replaceAll('"#/components/', `"${uri}#/components/`));
    registerSchema({ $schema: document.jsonSchemaDialect, ...whole }, here);
    try {
      return await validate(here);
    } finally {
      unregisterSchema(here);
    }
  };

  /** Whether the value matches the schema, with the errors. */
  const judge = async (schema: object, value: unknown): Promise<Output> => {
    const { validator, fitting } = judgeOf(schema);
    const text = JSON.stringify(value);
    if (fitting.has(text)) return { valid: true };
    const check = await validator;
    const parsed = JSON.parse(text);
    // Only a failure needs the errors.
    if (!check(parsed).valid) return check(parsed, 'BASIC');
    if (fitting.size >= fittingMax) fitting.clear();
    fitting.add(text);
    return { valid: true };
  };

  const fits = async (schema: object, value: unknown): Promise<boolean> => (await judge(schema, value)).valid;

  return { judge, fits };
};

interface Judge {
  readonly validator: Promise<Validator>;
  /** The JSON of values that match the schema: many responses have the same headers, or the same body. */
  readonly fitting: Set<string>;
}

const fittingMax = 1000;
