/** An Atom feed (RFC 4287) for each tool: an entry for each version that was measured, with what changed. */
import type { MapData, ToolData } from '../measure/data.ts';
import { stepsOf } from '../measure/history.ts';
import { versionPathOf } from './evidence.tsx';
import { plain } from './text.tsx';
import { verdicts as allVerdicts, countedOf, countsOf, words } from './verdicts.ts';

/** `url` is the address of the site, which may be empty: links are then relative. */
export const renderAtom = (tool: ToolData, data: MapData, url: string): string => {
  const dateOf = ({ verdicts }: Pick<ToolData, 'verdicts'>) =>
    verdicts
      .map(({ date }) => date)
      .toSorted()
      .at(-1) ?? data.date;
  const versions = [tool, ...tool.earlier.map((one) => ({ ...tool, ...one }))];
  const steps = stepsOf(versions);
  const linkOf = (path: string): string => (url === '' ? path.replace(/^tools\//, '') : `${url}${path}`);
  const entries = versions.map((version) => {
    const changes = steps.find(({ to }) => to === version.version)?.changes;
    const counts = countsOf(countedOf(version));
    const sum = allVerdicts.map((verdict) => `${counts[verdict]} ${words[verdict]}`).join(', ');
    const lines = changes?.map(({ feature, from, to }) => `${nameOf(feature, data)}: ${words[from]} → ${words[to]}`);
    const content = [`${sum}.`, ...(lines ?? [])].join('\n');
    return `  <entry>
    <id>${idOf(url, versionPathOf(version))}</id>
    <title>${escapeXml(`${tool.name} ${version.version}`)}</title>
    <updated>${dateOf(version)}T00:00:00Z</updated>
    <link href="${escapeXml(linkOf(versionPathOf(version)))}"/>
    <content type="text">${escapeXml(content)}</content>
  </entry>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${idOf(url, `tools/${tool.id}.atom`)}</id>
  <title>${escapeXml(`${tool.name} in the map of OpenAPI`)}</title>
  <updated>${dateOf(tool)}T00:00:00Z</updated>
  <author><name>Plant Store</name></author>
  <link rel="self" href="${escapeXml(linkOf(`tools/${tool.id}.atom`))}"/>
${entries.join('\n')}
</feed>
`;
};

/** It stays the same wherever the site is, unless the site has an address. */
const idOf = (url: string, path: string): string =>
  escapeXml(url === '' ? `urn:plant-store-map:${path}` : `${url}${path}`);

const nameOf = (feature: string, { features }: MapData): string =>
  plain(features.find(({ id }) => id === feature)?.name ?? feature);

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
