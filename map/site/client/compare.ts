/** `compare.html?tools=a,b,c`: a table of these tools, and a form to choose others of the kind. */
interface Tool {
  readonly name: string;
  readonly version: string;
  readonly kind: string;
  readonly verdicts: Readonly<Record<string, string>>;
}

interface Data {
  readonly words: Readonly<Record<string, string>>;
  readonly signs: Readonly<Record<string, string>>;
  readonly features: readonly (readonly [id: string, name: string])[];
  readonly tools: Readonly<Record<string, Tool>>;
}

const toolsMax = 6;

export const compareTools = (place: HTMLElement, source: HTMLElement): void => {
  const data: Data = JSON.parse(source.textContent ?? '');
  const wanted = (new URLSearchParams(location.search).get('tools') ?? '').split(',');
  const known = [...new Set(wanted)].flatMap((id) => {
    const tool = data.tools[id];
    return tool === undefined ? [] : [{ id, tool }];
  });
  // Kinds are asked different questions.
  const chosen = known.filter(({ tool }) => tool.kind === known[0]?.tool.kind).slice(0, toolsMax);
  place.append(
    formOf(
      data,
      chosen.map(({ id }) => id),
    ),
  );
  if (chosen.length > 0) place.append(tableOf(data, chosen));
  place.hidden = false;
};

const create = (name: string, text = '', attributes: Readonly<Record<string, string>> = {}): HTMLElement => {
  const element = document.createElement(name);
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

const tableOf = ({ words, signs, features }: Data, tools: readonly { id: string; tool: Tool }[]): HTMLElement => {
  const region = create('section', '', { class: 'overview', 'aria-label': 'Comparison', tabindex: '0' });
  const table = create('table', '', { class: 'compare' });
  const head = create('tr');
  head.append(create('th', 'Feature', { scope: 'col' }));
  for (const { tool } of tools) head.append(create('th', `${tool.name} ${tool.version}`, { scope: 'col' }));
  table.append(head);
  for (const [feature, name] of features) {
    if (tools.every(({ tool }) => tool.verdicts[feature] === undefined)) continue;
    const row = create('tr');
    row.append(create('th', name.replaceAll('`', ''), { scope: 'row' }));
    for (const { id, tool } of tools) {
      const verdict = tool.verdicts[feature];
      const cell = create('td', verdict === undefined ? 'not asked' : '');
      if (verdict !== undefined) {
        const link = create('a', `${signs[verdict]} ${words[verdict]}`, {
          href: `tools/${id}@${tool.version}.html#${feature}`,
          class: `mark ${verdict}`,
        });
        cell.append(link);
      }
      row.append(cell);
    }
    table.append(row);
  }
  region.append(table);
  return region;
};

/** A list of the tools of one kind. Without a tool in the URL, of all kinds: what is chosen then is the kind. */
const formOf = ({ tools }: Data, chosen: readonly string[]): HTMLElement => {
  const kind = tools[chosen[0] ?? '']?.kind;
  const form = create('form', '', { class: 'filters', 'aria-label': 'Choose tools' });
  const label = create('label', 'Add a tool');
  const select = document.createElement('select');
  select.append(new Option('choose …', ''));
  for (const [id, tool] of Object.entries(tools))
    if ((kind === undefined || tool.kind === kind) && !chosen.includes(id)) select.append(new Option(tool.name, id));
  select.addEventListener('change', () => {
    if (select.value !== '') location.search = `?tools=${[...chosen, select.value].join(',')}`;
  });
  label.append(select);
  form.append(label);
  return form;
};
