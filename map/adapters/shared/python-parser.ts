/** Parsers in Python: the model is written as JSON, so that its values can be compared. */
import { Refusal, type Session } from '../../measure/session.ts';
import { askPython } from './python.ts';

type Answer = { readonly model: unknown } | { readonly refusal: string } | { readonly error: string };

/** The driver defines `read()`, which returns the model of the tool, and `plain(model)`, which makes it plain values. */
export const modelOfPython = async (session: Session, driver: string): Promise<unknown> => {
  const [answer] = await askPython<Answer>(session, [null], `${driver}\n${ask}`);
  if (answer === undefined) throw new Error('the driver has no answer');
  if ('refusal' in answer) throw new Refusal(answer.refusal);
  if ('error' in answer) throw new Error(answer.error);
  return answer.model;
};

const ask = `
def ask(_):
    try:
        model = read()
    except Exception as error:
        return {'refusal': f'{type(error).__name__}: {error}'}
    return {'model': plain(model)}
`;
