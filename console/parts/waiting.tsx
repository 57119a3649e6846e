/** Says that the requests wait, since the service limits their rate. */
import { useEffect, useState } from 'preact/hooks';
import { waitingUntilMs } from '../api/client.ts';
import { useStore } from './store.ts';

export const Waiting = () => {
  const untilMs = useStore(waitingUntilMs);
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (untilMs <= Date.now()) return;
    const timer = setInterval(() => setNowMs(Date.now()), 250);
    return () => clearInterval(timer);
  }, [untilMs, nowMs]);
  return (
    <p role="status" class={untilMs > nowMs ? 'notice' : undefined}>
      {untilMs > nowMs && 'The service limits the rate of requests. The page waits, and continues.'}
    </p>
  );
};
