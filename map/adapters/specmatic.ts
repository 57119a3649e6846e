import type { AdapterText } from '../measure/adapter.ts';
import { decidingLine } from '../measure/check.ts';
import { Refusal } from '../measure/session.ts';

/** A test needs nothing but the server of the case: requests to other hosts fail at once. */
const offline = [
  '-XX:TieredStopAtLevel=1',
  '-Dhttp.nonProxyHosts=127.0.0.1',
  ...['http', 'https'].flatMap((scheme) => [`-D${scheme}.proxyHost=127.0.0.1`, `-D${scheme}.proxyPort=9`]),
].join(' ');

export const tool: AdapterText = {
  name: 'Specmatic',
  kind: 'tester',
  language: 'Kotlin',
  registry: 'npm',
  package: 'specmatic',
  version: '2.55.1',
  needs: ['java'],
  homepage: 'https://specmatic.io/',
  tracker: 'https://github.com/specmatic/specmatic/issues',
  abilities: {
    test: async ({ run }, url) => {
      const output = await run(['specmatic', 'test', '--testBaseURL', url, 'openapi.yaml'], {
        mayFail: true,
        env: { SPECMATIC_DISABLE_TELEMETRY: 'true', JAVA_TOOL_OPTIONS: offline },
      });
      // Its last line.
      const text = output.text.replace(/^Executed at .*$/m, '');
      // A document that is not read counts as a failed test.
      if (!/Tests run: [1-9]/.test(text) || text.includes('Could not parse contract'))
        throw new Refusal(decidingLine(text, /Could not parse contract|error/i));
      // The command of npm succeeds always.
      const hasPassed = /Failures: 0, .*Errors: 0/.test(text);
      return {
        hasPassed,
        isToldServer: true,
        ...(!hasPassed && { line: decidingLine(text, /^Specification expected/) }),
      };
    },
  },
};
