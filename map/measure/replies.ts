/** What authors of tools have said about verdicts. A person enters it in `replies.json`, with the words as they were written. */
import all from './replies.json' with { type: 'json' };

export interface Reply {
  readonly date: string;
  /** Where it was said: of an issue, a pull request or a message in public. */
  readonly url: string;
  readonly words: string;
  /** The verdict is disputed until the map or the tool has changed, or the author agrees. */
  readonly isOpen: boolean;
}

export interface EnteredReply extends Reply {
  readonly tool: string;
  readonly feature: string;
}

export const replies: readonly EnteredReply[] = all;

/** The last one. */
export const replyTo = (tool: string, feature: string, entered = replies): Reply | undefined => {
  const found = entered.findLast((one) => one.tool === tool && one.feature === feature);
  return found && { date: found.date, url: found.url, words: found.words, isOpen: found.isOpen };
};
