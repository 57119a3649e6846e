/** All webhooks: those that are disabled or failing first. The list follows the service while it is shown. */
import { useCallback, useRef, useState } from 'preact/hooks';
import { NeedsScope, Notice } from '../parts/notice.tsx';
import { useInterval, useLoaded } from '../parts/task.ts';
import { countOf } from '../parts/text.tsx';
import { useUnsaved } from '../parts/unsaved.ts';
import { useSession } from '../session.ts';
import { Card } from './card.tsx';
import { Create } from './create.tsx';
import { Failed } from './failed.tsx';
import { Secret } from './secret.tsx';
import { conditionOf, getWebhooks } from './webhook.ts';

const refreshMs = 5000;

interface ShownSecret {
  readonly webhookId: string;
  readonly text: string;
}

export const Webhooks = ({ isShown }: { readonly isShown: boolean }) => {
  const { api, can } = useSession();
  const canRead = can('webhooks:read');
  const canWrite = can('webhooks:write');
  const canReadMetrics = can('metrics:read');
  const [isCreating, setCreating] = useState(false);
  /** Each is shown only once, so it stays until the user has stored it. */
  const [secrets, setSecrets] = useState<readonly ShownSecret[]>([]);
  const addSecret = (secret: ShownSecret): void => setSecrets((before) => [...before, secret]);
  useUnsaved(secrets.length > 0);
  const newButton = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setCreating(false);
    newButton.current?.focus();
  };
  /** Changes when the deliveries are to be loaded again. */
  const [round, setRound] = useState(0);

  const load = useCallback(() => getWebhooks(api, canReadMetrics), [api, canReadMetrics]);
  const { value, problem, reload } = useLoaded(canRead ? load : undefined);
  const refresh = useCallback(() => {
    setRound((before) => before + 1);
    return reload();
  }, [reload]);
  useInterval(isShown && canRead ? refresh : undefined, refreshMs);

  const webhooks = value?.webhooks ?? [];
  const wrong = webhooks.filter((webhook) => conditionOf(webhook) !== 'ok').length;
  return (
    <>
      <div class="head">
        <h2>Webhooks</h2>
        {value && (
          <p role="status" class={wrong > 0 ? 'bad' : 'quiet'}>
            {wrong > 0 ? `${wrong} of ${webhooks.length} need attention` : countOf(webhooks.length, 'webhook')}
          </p>
        )}
        {canWrite && (
          <div class="actions">
            <button ref={newButton} type="button" class="first" onClick={() => setCreating(true)}>
              New webhook
            </button>
          </div>
        )}
      </div>
      {isCreating && (
        <Create
          onCreated={(webhookId, text) => {
            addSecret({ webhookId, text });
            setCreating(false);
            void refresh();
          }}
          onClose={close}
        />
      )}
      {secrets.map((secret) => (
        <Secret
          key={secret.text}
          {...secret}
          onClose={() => setSecrets((before) => before.filter((one) => one !== secret))}
        />
      ))}
      <Notice problem={problem} />
      {canRead ? (
        <>
          {value && webhooks.length === 0 && <p class="quiet">There are no webhooks yet.</p>}
          {value && <Failed webhooks={webhooks} round={round} onChanged={refresh} />}
          {webhooks.map((webhook) => (
            <Card
              key={webhook.id}
              webhook={webhook}
              lag={value?.lags[webhook.id]}
              round={round}
              onChanged={refresh}
              onSecret={(text) => addSecret({ webhookId: webhook.id, text })}
            />
          ))}
        </>
      ) : (
        <NeedsScope scope="webhooks:read">Webhooks are not shown.</NeedsScope>
      )}
    </>
  );
};
