/** The panel of an import: a file is dropped or chosen, the service says what would happen, and the user decides. */
import type { TargetedEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { inWords } from '../api/problem.ts';
import { announce } from '../parts/announcer.tsx';
import { useFocus } from '../parts/focus.ts';
import { Notice } from '../parts/notice.tsx';
import { useTask } from '../parts/task.ts';
import { countOf, Text } from '../parts/text.tsx';
import { useUnsaved } from '../parts/unsaved.ts';
import { useSession } from '../session.ts';
import type { Format } from './export-file.ts';
import { type ImportResult, importFile } from './import-file.ts';
import { formatOf, rejectedFile } from './rejected-file.ts';
import { saveFile } from './save-file.ts';

interface ImportProps {
  readonly onClose: () => void;
  readonly onImported: () => unknown;
}

interface Source {
  readonly name: string;
  readonly bytes: ArrayBuffer;
  readonly format: Format;
}

export const Import = ({ onClose, onImported }: ImportProps) => {
  const { token } = useSession();
  const { isBusy, problem, run } = useTask();
  const [source, setSource] = useState<Source>();
  const [isUpdate, setUpdate] = useState(false);
  const [result, setResult] = useState<ImportResult>();
  const panel = useFocus<HTMLElement>();
  const latest = useRef<Source>(undefined);
  useUnsaved(isBusy);

  const read = async (file: Source, update: boolean, isDryRun: boolean): Promise<void> => {
    const answer = await importFile(token, file.bytes, file.format, { isUpdate: update, isDryRun });
    // Another file may have been chosen in the meantime.
    if (latest.current === file) setResult(answer);
    if (isDryRun) return;
    announce(`Imported ${file.name}: ${wordsFor(answer)}.`);
    onImported();
  };
  const open = (file: File | undefined): Promise<void> =>
    run(async () => {
      if (!file) return;
      setResult(undefined);
      const bytes = await file.arrayBuffer();
      const beginning = new TextDecoder().decode(bytes.slice(0, 100));
      const next = { name: file.name, bytes, format: formatOf(file.name, beginning) };
      latest.current = next;
      setSource(next);
      await read(next, isUpdate, true);
    });
  const decide = (update: boolean): void => {
    setUpdate(update);
    if (source) void run(() => read(source, update, true));
  };
  const drop = (event: TargetedEvent<HTMLElement, DragEvent>): void => {
    event.preventDefault();
    if (!isBusy) void open(event.dataTransfer?.files[0]);
  };
  const saveRejected = ({ name, bytes, format }: Source, { rejectedRows }: ImportResult): void => {
    const text = new TextDecoder().decode(bytes);
    saveFile(`rejected-${name}`, new Blob([rejectedFile(text, rejectedRows, format)]));
  };

  const count = result ? result.created + result.replaced : 0;
  return (
    <section
      class="panel drop"
      ref={panel}
      tabIndex={-1}
      aria-label="Import"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <h3>Import a file</h3>
      <label>
        Drop a CSV or NDJSON file here, or choose one
        <input
          type="file"
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv,application/x-ndjson"
          disabled={isBusy}
          onChange={({ currentTarget }) => {
            void open(currentTarget.files?.[0]);
            // The same file can be chosen again.
            currentTarget.value = '';
          }}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={isUpdate}
          disabled={isBusy}
          onChange={({ currentTarget }) => decide(currentTarget.checked)}
        />
        Update existing plants
      </label>
      <p role="status">
        {isBusy && 'The service reads the file …'}
        {!isBusy && source && result && (
          <>
            <Text>{source.name}</Text>: {result.dryRun ? 'a preview, nothing is imported yet. ' : 'imported. '}
            {wordsFor(result)}.
          </>
        )}
      </p>
      {result && result.ignored.length > 0 && <p class="quiet">Ignored: {result.ignored.join(', ')}.</p>}
      <Notice problem={problem} />
      <p class="actions">
        {source && result?.dryRun && count > 0 && (
          <button
            type="button"
            class="first"
            disabled={isBusy}
            onClick={() => void run(() => read(source, isUpdate, false))}
          >
            Import {countOf(count, 'plant')}
          </button>
        )}
        {source && result && result.rejectedRows.length > 0 && (
          <button type="button" onClick={() => saveRejected(source, result)}>
            Save the rejected rows as a file
          </button>
        )}
        <button type="button" disabled={isBusy} onClick={onClose}>
          Close
        </button>
      </p>
      {result && result.rejectedRows.length > 0 && <RejectedRows rows={result.rejectedRows} />}
    </section>
  );
};

const wordsFor = ({ dryRun, created, replaced, unchanged, skipped, rejected }: ImportResult): string =>
  [
    `${created} ${dryRun ? 'to create' : 'created'}`,
    ...(replaced > 0 ? [`${replaced} ${dryRun ? 'to update' : 'updated'}`] : []),
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    `${rejected} rejected`,
  ].join(', ');

const shownMax = 200;

const RejectedRows = ({ rows }: { readonly rows: ImportResult['rejectedRows'] }) => (
  <table class="wide-only">
    <caption>Rejected rows{rows.length > shownMax && `, the first ${shownMax}`}</caption>
    <thead>
      <tr>
        <th scope="col">Line</th>
        <th scope="col">Reason</th>
      </tr>
    </thead>
    <tbody>
      {rows.slice(0, shownMax).map(({ line, message }) => (
        <tr key={line}>
          <td data-label="Line">{line}</td>
          <td data-label="Reason">
            <Text>{inWords(message)}</Text>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
