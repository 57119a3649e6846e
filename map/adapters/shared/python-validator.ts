/** Validators in Python. */
import type { Judgement, ValidateQuestion } from '../../measure/abilities/validate.ts';
import { Refusal, type Refused, type Session } from '../../measure/session.ts';
import { askPython } from './python.ts';

type Answer = Judgement | { readonly refusal: string } | { readonly error: string };

/** The driver defines `load()` and `judge(tool, question)`, which returns why it refuses, an empty text, or `None` where it cannot be asked. */
export const judgeByPython = async (
  session: Session,
  questions: readonly ValidateQuestion[],
  driver: string,
  refused: Refused = 'refused',
): Promise<(Judgement | undefined)[]> => {
  const answers = await askPython<Answer>(session, questions, `${driver}\n${ask}`);
  return answers.map((answer) => {
    if (answer === undefined || 'isAccepted' in answer) return answer;
    if ('refusal' in answer) throw new Refusal(answer.refusal, refused);
    // An error of the driver has stopped the measurement: this one is of the tool.
    throw new Refusal(answer.error);
  });
};

const ask = `
try:
    tool, refusal = load(), None
except Exception as error:
    if is_of_driver(error):
        raise
    tool, refusal = None, f'{type(error).__name__}: {error}'

def ask(question):
    if refusal is not None:
        return {'refusal': refusal}
    why = judge(tool, question)
    if why is None:
        return None
    return {'isAccepted': why == '', **({'line': why} if why else {})}
`;
