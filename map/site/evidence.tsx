/** What was asked of a tool, what it answered, and how to repeat it. */

import type { CheckResult } from '../measure/check.ts';
import type { ToolData, UnaskedData, VerdictData } from '../measure/data.ts';
import { pathOfCase, pathOfControl, pathOfWritten } from '../measure/files.ts';
import { count, Text } from './text.tsx';
import { signs } from './verdicts.ts';

interface EvidenceProps {
  readonly tool: Pick<ToolData, 'id' | 'name' | 'version'>;
  readonly verdict: Pick<VerdictData, 'control'> & Omit<UnaskedData, 'seen' | 'control'>;
  /** An id inside the evidence, so that a link to it opens the evidence. */
  readonly anchor: string;
  /** The feature has a document of its own, and not that of a service. */
  readonly hasDocument: boolean;
}

export const Evidence = ({ tool, verdict, anchor, hasDocument }: EvidenceProps) => (
  <details class="evidence">
    <summary>
      Evidence: {count(verdict.checks.length, 'check')}, measured on <Day date={verdict.date} />
    </summary>
    <div id={anchor}>
      {verdict.checks.map((check, index) => (
        <Check
          key={check.check}
          check={check}
          isOther={check.command !== verdict.checks[index - 1]?.command}
          links={linksOf(check, tool.id, verdict, hasDocument)}
        />
      ))}
      {verdict.checks.some(({ isBasic }) => isBasic) && (
        <p class="note">A basic check is one that a tool passes too which ignores the feature.</p>
      )}
      {verdict.control !== undefined && (
        <Control tool={tool.id} feature={verdict.feature} control={verdict.control} hasDocument={hasDocument} />
      )}
      <p class="note">
        To repeat it: <code>{`bun run map --tool ${tool.id} --feature ${verdict.feature} --keep`}</code> ·{' '}
        <a href={`../${versionPathOf(tool)}#${verdict.feature}`}>Permanent address</a> ·{' '}
        <a href="../how.html#wrong">Is this wrong?</a>
      </p>
    </div>
  </details>
);

interface ControlProps {
  readonly tool: string;
  readonly feature: string;
  readonly control: NonNullable<VerdictData['control']>;
  readonly hasDocument: boolean;
}

const Control = ({ tool, feature, control: { name, checks }, hasDocument }: ControlProps) => (
  <>
    <h4>
      The control: <Text text={name} />
    </h4>
    <p class="note">
      The same questions without the feature, in OpenAPI 3.0
      {hasDocument && (
        <>
          {' '}
          (<a href={`../${pathOfControl(feature)}`}>the document</a>)
        </>
      )}
      . What fails here too does not count above.
    </p>
    {checks.map((check, index) => (
      <Check
        key={check.check}
        check={check}
        isOther={check.command !== checks[index - 1]?.command}
        links={Object.entries(check.files ?? {}).map(([file, key]) => ({
          name: file,
          href: `../${pathOfWritten(tool, key)}`,
        }))}
      />
    ))}
  </>
);

/** The page of one version of a tool, which stays when a newer one is measured. */
export const versionPathOf = ({ id, version }: Pick<ToolData, 'id' | 'version'>): string =>
  `tools/${id}@${version}.html`;

interface Link {
  readonly name: string;
  readonly href: string;
}

/** The files that the command names, and those that it reads without a name. */
const linksOf = (
  check: CheckResult,
  tool: string,
  { feature, openapi }: EvidenceProps['verdict'],
  hasDocument: boolean,
): Link[] => {
  const made = hasDocument
    ? [...new Set(check.command.match(/\b(?:mistake|changed)-\d+\.json|\bopenapi\.(?:yaml|json)/g))]
    : [];
  const hrefOf = (name: string): string => {
    if (name.startsWith('openapi.') && openapi === '3.0') return pathOfCase(feature, 'openapi-3.0.3.yaml');
    return name === 'openapi.yaml' ? `features/${feature}.yaml` : pathOfCase(feature, name);
  };
  return [
    ...made.map((name) => ({ name, href: `../${hrefOf(name)}` })),
    ...Object.entries(check.files ?? {}).map(([name, key]) => ({ name, href: `../${pathOfWritten(tool, key)}` })),
  ];
};

const Day = ({ date }: { readonly date: string }) => <time datetime={date}>{date}</time>;

interface CheckProps {
  readonly check: CheckResult;
  /** Whether its command is another than that of the check before. */
  readonly isOther: boolean;
  readonly links: readonly Link[];
}

const Check = ({ check, isOther, links }: CheckProps) => (
  <section class="check">
    {isOther && check.command !== '' && (
      <p class="command">
        <code>{check.command}</code>
        {links.map(({ name, href }) => (
          <a key={name} href={href}>
            {name}
          </a>
        ))}
      </p>
    )}
    <h4>
      <span class={`mark ${check.grade}`}>
        <span aria-hidden="true">{signs[check.grade]}</span> {check.grade}
      </span>{' '}
      <Text text={check.check} /> {check.isBasic && <small>basic</small>}
      {check.isUnasked && <small> does not count: it fails the control</small>}
    </h4>
    <dl>
      <Fact name="Input" text={check.input} />
      {check.expected === check.observed ? (
        <Fact name="As expected" text={check.observed} />
      ) : (
        <>
          <Fact name="Expected" text={check.expected} />
          <Fact name="Observed" text={check.observed} />
        </>
      )}
      <Fact name="Deciding line" text={check.line} />
      <Fact name="Exchange" text={check.exchange} />
      <Fact name="Exit code" text={exitCodesOf(check)} />
    </dl>
  </section>
);

const exitCodesOf = ({ exitCode, loadExitCode }: CheckResult): string =>
  [exitCode, loadExitCode === undefined ? undefined : `${loadExitCode} when the code is loaded`]
    .filter((one) => one !== undefined)
    .join('; ');

const Fact = ({ name, text = '' }: { readonly name: string; readonly text?: string | undefined }) =>
  text === '' ? null : (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>{text}</code>
      </dd>
    </div>
  );
