import { expect, it } from 'vitest';
import { isOutputMismatch } from '../_readings/calls/run-errors.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { outputValidation } from './detector.ts';

const ERROR = 'Invalid output type: final assistant output did not match the expected schema.';
const run = (...after: string[]) =>
  `agent reader\nspan turn !! ModelBehaviorError: ${ERROR}\n  llm m -> "Two eggs and some flour."\n${after.join('\n')}`;

const rows: DetectorRow[] = [
  {
    name: 'rejected_by_schema: the run ends on an answer that does not match its output type',
    trace: run(),
    fires: [
      {
        subtype: 'rejected_by_schema',
        step: 1,
        agent: 'reader',
        severity: 'critical',
        text: `The answer of reader at step 1 was rejected because it does not match its output type: "${ERROR.slice(0, -1)}". No model answered after it, so the step has no result.`,
        suggestion: 'Send this error back to reader once',
        fix: 'Ask again with the error of the schema',
        shows: [ERROR],
      },
    ],
  },
  {
    name: 'rejected_by_schema: the error of the model call itself',
    trace: 'agent reader\nllm m !! NoObjectGeneratedError: No object generated: response did not match schema.',
    fires: [{ subtype: 'rejected_by_schema', step: 0, text: 'The answer itself is not recorded.' }],
  },
  {
    name: 'silent: a second answer was accepted',
    trace: run('llm m -> "{\\"eggs\\":2}"'),
    silent: true,
  },
  { name: 'silent: another error', trace: 'agent reader\nspan turn !! Error: fetch failed', silent: true },
];

testDetector(outputValidation, rows);

it.each([
  ['AI_NoObjectGeneratedError', 'No object generated: could not parse the response.'],
  ['OutputParserException', 'Could not parse LLM output: two eggs'],
  ['UnexpectedModelBehavior', 'Exceeded maximum retries (1) for output validation'],
  ['ModelBehaviorError', 'Invalid JSON when parsing two eggs for TypeAdapter(Recipe); 1 validation error'],
])('knows %s', (type, message) => {
  expect(isOutputMismatch({ type, message })).toBe(true);
});

it.each(['The schema of the table did not match.', 'Invalid JSON in the request', 'response.incomplete'])(
  'does not take another error for it: %s',
  (message) => {
    expect(isOutputMismatch({ type: 'Error', message })).toBe(false);
  },
);
