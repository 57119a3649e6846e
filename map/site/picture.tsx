/** The picture of the README: a row for each feature, with a mark for each tool that was tried on it. `bun run map picture` draws it. */
import { join } from 'node:path';
import { type MapData, readMapData, type Verdict } from '../measure/data.ts';
import { plain } from './text.tsx';
import { type Counts, countsOf, triedOn, verdicts, words } from './verdicts.ts';
import { byVersion } from './versions.ts';

interface Colours extends Readonly<Record<Verdict, string>> {
  readonly ink: string;
  readonly soft: string;
}

const light: Colours = {
  ink: '#1b2620',
  soft: '#55625a',
  right: '#2f8a63',
  partly: '#b07a10',
  ignored: '#8b918c',
  wrong: '#b5371d',
  version: '#4a55a2',
};

const dark: Colours = {
  ink: '#e3e9e4',
  soft: '#a3afa7',
  right: '#55b384',
  partly: '#d9a93b',
  ignored: '#8f9b93',
  wrong: '#f0694c',
  version: '#9aa6ee',
};

const width = 830;
const names = 335;
const sums = 62;
const row = 17;
const head = 34;
const top = 34;
const mark = 8;

const renderPicture = (data: MapData, colours: Colours): string => {
  const groups = byVersion(data.features);
  const countsOfFeature = (id: string): Counts => countsOf(triedOn(id, data).map(({ verdict }) => verdict));
  const totals = data.features.map(({ id }) => triedOn(id, data).length);
  const pitch = Math.min(12, (width - names - sums) / Math.max(...totals));
  const height = top + groups.length * head + data.features.length * row + 8;
  let y = top;
  return `${(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      role="img"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      font-family="system-ui, sans-serif"
      font-size="12"
      fill={colours.ink}
    >
      <title>How many tools read each feature of OpenAPI correctly</title>
      <desc>{data.features.map(({ id, name }) => `${plain(name)}: ${inWords(countsOfFeature(id))}`).join('; ')}.</desc>
      {verdicts.map((verdict, index) => (
        <g key={verdict} transform={`translate(${names + index * 90} 8)`}>
          <Marks verdict={verdict} xs={[0]} y={0} colours={colours} />
          <text x="14" y="8">
            {words[verdict]}
          </text>
        </g>
      ))}
      {groups.flatMap(({ version, features }) => {
        y += head;
        return [
          <text key={version} x="0" y={y - 10} font-weight="600" fill={colours.soft}>
            OpenAPI {version}
          </text>,
          ...features.map(({ id, name }) => {
            const counts = countsOfFeature(id);
            const total = verdicts.reduce((sum, verdict) => sum + counts[verdict], 0);
            y += row;
            return (
              <g key={id}>
                <text x="0" y={y - 4}>
                  {plain(name)}
                </text>
                <Row counts={counts} pitch={pitch} y={y - 12} colours={colours} />
                <text x={width} y={y - 4} text-anchor="end" fill={colours.soft}>
                  {counts.right} of {total}
                </text>
              </g>
            );
          }),
        ];
      })}
    </svg>
  )}\n`;
};

interface RowProps {
  readonly counts: Counts;
  readonly pitch: number;
  readonly y: number;
  readonly colours: Colours;
}

const Row = ({ counts, pitch, y, colours }: RowProps) => {
  let place = 0;
  return (
    <>
      {verdicts.map((verdict) => {
        const xs = Array.from({ length: counts[verdict] }, () => names + pitch * place++);
        return xs.length > 0 && <Marks key={verdict} verdict={verdict} xs={xs} y={y} colours={colours} />;
      })}
    </>
  );
};

interface MarksProps {
  readonly verdict: Verdict;
  readonly xs: readonly number[];
  readonly y: number;
  readonly colours: Colours;
}

/** Each verdict has its own shape, so that the picture can be read without colours. */
const Marks = ({ verdict, xs, y, colours }: MarksProps) => {
  const path = xs.map((x) => `M${Math.round(x * 10) / 10} ${y}${shapes[verdict]}`).join('');
  return verdict === 'right' ? (
    <path d={path} fill={colours[verdict]} />
  ) : (
    <path
      d={path}
      fill={verdict === 'partly' ? colours[verdict] : 'none'}
      stroke={colours[verdict]}
      stroke-width="1.6"
    />
  );
};

/** Paths from the upper left corner: a full square, a triangle, an empty square, a cross, a line. */
const shapes: Readonly<Record<Verdict, string>> = {
  right: `h${mark}v${mark}h-${mark}z`,
  partly: 'm1 1v6h6z',
  ignored: 'm1 1h6v6h-6z',
  wrong: 'm.5.5l7 7m0-7l-7 7',
  version: 'm0 4h8',
};

const inWords = (counts: Counts): string =>
  verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict]} ${words[verdict]}`)
    .join(', ');

const data = await readMapData();
const docs = join(import.meta.dir, '../../docs');
await Bun.write(join(docs, 'map-light.svg'), renderPicture(data, light));
await Bun.write(join(docs, 'map-dark.svg'), renderPicture(data, dark));
