import type { CallAnswer, CallQuestion } from '../measure/abilities/call.ts';
import type { Judgement } from '../measure/abilities/validate.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { findOperation, valueAt } from '../measure/operation.ts';
import type { Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { askJava } from './shared/java.ts';
import { makeOnce } from './shared/once.ts';
import { generateWith, openapiGenerator, urlOfDocument } from './shared/openapi-generator.ts';

const options = ['--library', 'native'];

const generate = (session: Session) => makeOnce(session, 'client', '', () => generateWith(session, 'java', options));

/** A method has a parameter for each member of a form, and else one for the body. */
const isForm = ({ document }: Session, operationId: string): boolean =>
  valueAt(document, `${findOperation(document, operationId).pointer}/requestBody/content/multipart~1form-data`) !==
  undefined;

const call = (session: Session, questions: readonly CallQuestion[], isLocated: boolean) =>
  askJava<CallAnswer>(
    session,
    questions.map((question) => ({ ...question, isLocated, isForm: isForm(session, question.operationId) })),
  );

export const tool: AdapterText = {
  ...openapiGenerator,
  name: 'OpenAPI Generator (java, native)',
  language: 'Java',
  needs: ['java', 'javac'],
  // What the generated `pom.xml` names.
  with: {
    'com.fasterxml.jackson.core:jackson-core': '2.21.5',
    'com.fasterxml.jackson.core:jackson-annotations': '2.21',
    'com.fasterxml.jackson.core:jackson-databind': '2.21.5',
    'com.fasterxml.jackson.datatype:jackson-datatype-jsr310': '2.21.5',
    'org.openapitools:jackson-databind-nullable': '0.2.11',
    'com.google.code.findbugs:jsr305': '3.0.2',
    'jakarta.annotation:jakarta.annotation-api': '1.3.5',
    // For a form.
    'org.apache.httpcomponents:httpmime': '4.5.14',
  },
  abilities: {
    load: generate,
    // Whether a value can be set, by the types of the setters. Java has none for a required member.
    typeCheck: async (session, questions) => {
      await generate(session);
      return askJava<Judgement>(session, questions);
    },
    call: async (session, questions) => {
      await generate(session);
      return call(session, questions, true);
    },
    locate: async (session, questions) => {
      await generateWith(session, 'java', options, urlOfDocument(questions));
      return call(session, questions, false);
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'client/src/main/java/**/{api,model}/*.java');
    },
  },
};
