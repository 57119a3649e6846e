/** An event of the log, as a line of a list. */
import { wordsForId } from '../api/json.ts';
import type { LogEvent } from '../live/event.ts';
import { Code, Time } from '../parts/text.tsx';
import { PictureFacts } from '../pictures/picture-facts.tsx';
import { members } from '../plants/members.ts';
import { Value } from '../plants/value.tsx';

interface EventProps {
  readonly event: LogEvent;
  /** Undefined if it cannot be restored. */
  readonly onRestore: (() => void) | undefined;
}

export const EventLine = ({ event, onRestore }: EventProps) => (
  <>
    <Time at={event.timestamp} />
    <span class={`type ${event.type.replaceAll('.', '-')}`}>{event.type}</span>
    <Code>{wordsForId(event.id)}</Code>
    {'name' in event && (
      <span class="what">
        {members.map(({ name }) => (
          <Value key={name} name={name} value={event[name]} />
        ))}
      </span>
    )}
    {'picture' in event && (
      <span class="what">
        <PictureFacts picture={event.picture} />
      </span>
    )}
    <span class="quiet number">#{`${event.sequence}`}</span>
    {onRestore && (
      <button type="button" aria-label={`Restore plant ${event.id} as of event ${event.sequence}`} onClick={onRestore}>
        Restore
      </button>
    )}
  </>
);
