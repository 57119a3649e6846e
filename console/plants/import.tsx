/** The panel of an import: a file is dropped or chosen, and its rows are sent through the API. */
import type { TargetedEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Problem } from '../api/problem.ts';
import { Notice } from '../parts/notice.tsx';
import { useTask } from '../parts/task.ts';
import { Code, countOf, Text } from '../parts/text.tsx';
import { useSession } from '../session.ts';
import { type Row, readRows } from './rows.ts';
import { type Progress, type Rejected, sendRows } from './send-rows.ts';

interface ImportProps {
  readonly onClose: () => void;
  readonly onImported: () => unknown;
}

interface Source {
  readonly name: string;
  /** All rows of the file. */
  readonly count: number;
  /** Those that are still to be sent. */
  readonly rows: readonly Row[];
}

const nothing: Progress = { created: 0, rejected: [] };

export const Import = ({ onClose, onImported }: ImportProps) => {
  const { api } = useSession();
  const { isBusy, problem, run } = useTask();
  const [source, setSource] = useState<Source>();
  const [before, setBefore] = useState(nothing);
  const [current, setCurrent] = useState(nothing);
  const stopping = useRef<AbortController | undefined>(undefined);
  const created = before.created + current.created;
  const rejected = [...before.rejected, ...current.rejected];

  const open = (file: File | undefined): Promise<void> =>
    run(async () => {
      if (!file) return;
      const rows = await readRows(file).catch((error: Error) => {
        throw new Problem({ status: 400, message: `${error.message}` });
      });
      setSource({ name: file.name, count: rows.length, rows });
      setBefore(nothing);
      setCurrent(nothing);
    });
  const start = ({ name, count, rows }: Source): Promise<void> =>
    run(async () => {
      const controller = new AbortController();
      stopping.current = controller;
      let latest = nothing;
      const onProgress = (progress: Progress): void => {
        latest = progress;
        setCurrent(progress);
      };
      const outcome = await sendRows({ api, rows, signal: controller.signal, onProgress });
      setBefore({ created: before.created + latest.created, rejected: [...before.rejected, ...latest.rejected] });
      setCurrent(nothing);
      setSource({ name, count, rows: outcome.unsent });
      onImported();
      if (outcome.problem) throw outcome.problem;
    });
  const drop = (event: TargetedEvent<HTMLElement, DragEvent>): void => {
    event.preventDefault();
    if (!isBusy) void open(event.dataTransfer?.files[0]);
  };

  const done = created + rejected.length;
  return (
    <section class="panel drop" aria-label="Import" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <h3>Import a file</h3>
      <label>
        Drop a CSV or NDJSON file here, or choose one
        <input
          type="file"
          accept=".csv,.ndjson,.jsonl,text/csv,application/x-ndjson"
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            void open(currentTarget.files?.[0]);
            // The same file can be chosen again.
            currentTarget.value = '';
          }}
        />
      </label>
      {source && (
        <p role="status">
          <Text>{source.name}</Text>: {countOf(source.count, 'row')}. {created} created or already there,{' '}
          {rejected.length} rejected
          {done < source.count ? `, ${source.count - done} to send` : ''}.
        </p>
      )}
      {source && done > 0 && <progress max={source.count} value={done} aria-label="Sent rows" />}
      <Notice problem={problem} />
      <p class="actions">
        {source && source.rows.length > 0 && !isBusy && (
          <button type="button" class="first" onClick={() => void start(source)}>
            {done === 0 ? `Send ${countOf(source.count, 'row')}` : 'Continue'}
          </button>
        )}
        {isBusy && (
          <button type="button" onClick={() => stopping.current?.abort()}>
            Stop
          </button>
        )}
        <button type="button" disabled={isBusy} onClick={onClose}>
          Close
        </button>
      </p>
      {rejected.length > 0 && <RejectedRows rows={rejected} />}
    </section>
  );
};

const shownMax = 200;

const RejectedRows = ({ rows }: { readonly rows: readonly Rejected[] }) => (
  <table class="wide-only">
    <caption>Rejected rows{rows.length > shownMax && `, the first ${shownMax}`}</caption>
    <thead>
      <tr>
        <th scope="col">Line</th>
        <th scope="col">Id</th>
        <th scope="col">Reason</th>
      </tr>
    </thead>
    <tbody>
      {rows
        .slice(0, shownMax)
        .toSorted(byLine)
        .map(({ line, id, reason }) => (
          <tr key={line}>
            <td data-label="Line">{line}</td>
            <td data-label="Id">
              <Code>{id}</Code>
            </td>
            <td data-label="Reason">
              <Text>{reason}</Text>
            </td>
          </tr>
        ))}
    </tbody>
  </table>
);

const byLine = (a: Rejected, b: Rejected): number => a.line - b.line;
