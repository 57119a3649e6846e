/** Atom feeds (RFC 4287), of each tool and of all: an entry for each version that was measured, with what changed. */
import type { MapData, ToolData } from '../measure/data.ts';
import { versionPathOf } from './evidence.tsx';
import { type Release, releasesOf, releasesOfTool } from './releases.ts';
import { plain } from './text.tsx';
import { verdicts as allVerdicts, countedOf, countsOf, words } from './verdicts.ts';

/** `url` is the address of the site, which may be empty: links are then relative. */
export const renderAtom = (tool: ToolData, data: MapData, url: string): string =>
  feedOf(releasesOfTool(tool, data), data, {
    path: `tools/${tool.id}.atom`,
    title: `${tool.name} in the map of OpenAPI`,
    linkOf: (path) => (url === '' ? path.replace(/^tools\//, '') : `${url}${path}`),
    url,
  });

/** Of all tools. */
export const renderWholeAtom = (data: MapData, url: string): string =>
  feedOf(releasesOf(data), data, {
    path: 'map.atom',
    title: 'The map of OpenAPI',
    linkOf: (path) => `${url}${path}`,
    url,
  });

interface Feed {
  readonly path: string;
  readonly title: string;
  readonly linkOf: (path: string) => string;
  readonly url: string;
}

const feedOf = (releases: readonly Release[], data: MapData, { path, title, linkOf, url }: Feed): string => {
  const entries = releases.map(
    ({ tool, updated, step }) => `  <entry>
    <id>${idOf(url, versionPathOf(tool))}</id>
    <title>${escapeXml(`${tool.name} ${tool.version}`)}</title>
    <updated>${updated}T00:00:00Z</updated>
    <link href="${escapeXml(linkOf(versionPathOf(tool)))}"/>
    <content type="text">${escapeXml([sumOf(tool), ...changesOf(step, data)].join('\n'))}</content>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${idOf(url, path)}</id>
  <title>${escapeXml(title)}</title>
  <updated>${releases[0]?.updated ?? data.date}T00:00:00Z</updated>
  <author><name>Plant Store</name></author>
  <link rel="self" href="${escapeXml(linkOf(path))}"/>
${entries.join('\n')}
</feed>
`;
};

const sumOf = (tool: ToolData): string => {
  const counts = countsOf(countedOf(tool));
  return `${allVerdicts.map((verdict) => `${counts[verdict]} ${words[verdict]}`).join(', ')}.`;
};

const changesOf = (step: Release['step'], data: MapData): string[] =>
  (step?.changes ?? []).map(({ feature, from, to }) => `${nameOf(feature, data)}: ${words[from]} → ${words[to]}`);

/** It stays the same wherever the site is, unless the site has an address. */
const idOf = (url: string, path: string): string =>
  escapeXml(url === '' ? `urn:plant-store-map:${path}` : `${url}${path}`);

const nameOf = (feature: string, { features }: MapData): string =>
  plain(features.find(({ id }) => id === feature)?.name ?? feature);

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
