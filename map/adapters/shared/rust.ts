/** Parsers in Rust: the model is written as JSON, so that its values can be compared. */
import { join } from 'node:path';
import { valueAt } from '../../measure/operation.ts';
import { Refusal, type Session } from '../../measure/session.ts';

/** The model of the document. `parse` is an expression of a Result for the text `&text`. */
export const modelOfRust = async (session: Session, parse: string): Promise<unknown> => {
  const { folder } = session.installation;
  const source = `fn main() {
    let text = std::fs::read_to_string("openapi.json").unwrap();
    match ${parse} {
        Ok(model) => println!("{}", serde_json::to_string(&model).unwrap()),
        Err(error) => println!("refused {error}"),
    }
}
`;
  await Bun.write(join(folder, 'src/main.rs'), source);
  const command = ['cargo', 'run', '--quiet', '--manifest-path', join(folder, 'Cargo.toml')];
  const { text } = await session.run(command, { isHidden: true });
  if (text.startsWith('refused ')) throw new Refusal(text.slice('refused '.length));
  return JSON.parse(text);
};

/** The values of a model in which references are followed. What the model has beside a reference replaces what it leads to. */
export const valuesOfModel = (model: unknown, pointers: readonly string[]): (string | null)[] =>
  pointers.map((pointer) => {
    const value = pointer
      .split('/')
      .slice(1)
      .reduce((node, token) => resolved(model, valueAt(node, `/${token}`)), model);
    return value === null || value === undefined ? null : JSON.stringify(value);
  });

const resolved = (model: unknown, node: unknown): unknown => {
  const reference = valueAt(node, '/$ref');
  if (typeof reference !== 'string' || typeof node !== 'object') return node;
  const target = resolved(model, valueAt(model, reference.slice(1)));
  return typeof target === 'object' ? { ...target, ...node } : target;
};
