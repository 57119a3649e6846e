/** A page for each question that people have: which tools of a kind, or which generators for a language, read a feature. */
import type { FeatureData, MapData, ToolData, Verdict } from '../measure/data.ts';
import { versionPathOf } from './evidence.tsx';
import { featuresOf } from './kind-page.tsx';
import { type Group, groupsOf } from './kinds.ts';
import { renderPage } from './page.tsx';
import { Text } from './text.tsx';
import { verdicts } from './verdicts.ts';

interface Question {
  readonly path: string;
  /** `Which generators for TypeScript read webhooks?` */
  readonly text: string;
  readonly feature: FeatureData;
  readonly tools: readonly ToolData[];
}

/** Fewer tools are no choice. */
const toolsMin = 2;

const questionsOf = (data: MapData): { readonly group: Group; readonly questions: readonly Question[] }[] =>
  groupsOf(data.tools).map((group) => {
    const languages =
      group.kind === 'generator' ? [...new Set(group.tools.map(({ language }) => language))].sort() : [];
    const choices = [
      { tools: group.tools, who: group.name.toLowerCase(), slug: group.kind },
      ...languages.map((language) => ({
        tools: group.tools.filter((tool) => tool.language === language),
        who: `generators for ${language}`,
        slug: `generator-${language.toLowerCase()}`,
      })),
    ].filter(({ tools }) => tools.length >= toolsMin);
    return {
      group,
      questions: choices.flatMap(({ tools, who, slug }) =>
        featuresOf(tools, data.features).map((feature) => ({
          path: `questions/${slug}-${feature.id}.html`,
          text: `Which ${who === 'others' ? 'other tools' : who} read ${feature.name}?`,
          feature,
          tools,
        })),
      ),
    };
  });

export const renderQuestionPages = (data: MapData): [path: string, page: string][] => [
  ['questions/index.html', renderIndex(data)],
  ...questionsOf(data)
    .flatMap(({ questions }) => questions)
    .map((question): [string, string] => [question.path, renderQuestion(question, data)]),
];

const renderIndex = (data: MapData): string =>
  renderPage({
    data,
    root: '../',
    title: 'Questions',
    description: 'Which tools read which feature of OpenAPI: a page for each question.',
    section: 'Questions',
    children: (
      <>
        <h1>Questions</h1>
        {questionsOf(data).map(({ group, questions }) => (
          <section key={group.kind}>
            <h2>{group.name}</h2>
            <ul class="plain">
              {questions.map(({ path, text }) => (
                <li key={path}>
                  <a href={path.replace('questions/', '')}>
                    <Text text={text} />
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </>
    ),
  });

const renderQuestion = ({ text, feature, tools }: Question, data: MapData): string =>
  renderPage({
    data,
    root: '../',
    title: text,
    description: text,
    section: 'Questions',
    children: (
      <>
        <h1>
          <Text text={text} />
        </h1>
        <p class="lead">
          <Text text={feature.meaning} /> <a href={`../features/${feature.id}.html`}>The feature and its document</a>
        </p>
        {verdicts.map((verdict) => (
          <Answers key={verdict} verdict={verdict} feature={feature} tools={tools} />
        ))}
      </>
    ),
  });

interface AnswersProps {
  readonly verdict: Verdict;
  readonly feature: FeatureData;
  readonly tools: readonly ToolData[];
}

const Answers = ({ verdict, feature, tools }: AnswersProps) => {
  const all = tools.flatMap((tool) =>
    tool.verdicts
      .filter((one) => one.feature === feature.id && one.verdict === verdict)
      .map(({ seen }) => ({ tool, seen })),
  );
  return all.length === 0 ? null : (
    <section>
      <h2>{headings[verdict]}</h2>
      <ul class="plain">
        {all.map(({ tool, seen }) => (
          <li key={tool.id}>
            <a href={`../${versionPathOf(tool)}#${feature.id}`}>
              {tool.name} {tool.version}
            </a>
            : <Text text={seen} />
          </li>
        ))}
      </ul>
    </section>
  );
};

const headings: Readonly<Record<Verdict, string>> = {
  right: 'These do',
  partly: 'These read a part of it',
  ignored: 'These ignore it',
  wrong: 'These are wrong',
  version: 'These refuse the version of OpenAPI',
};
