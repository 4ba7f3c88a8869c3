import { expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { parseTrace } from '../_testing/notation.ts';
import { NO_MODELS } from '../_testing/tester.ts';
import { loop } from './detector.ts';

interface Found {
  action: string;
  fixes: string;
  explanation: string;
  /** Rule and note that replace those of the subtype. */
  rules: unknown[];
}

function found(lines: readonly string[]): Found {
  const drafts: DetectionDraft<string>[] = [];
  const trace = parseTrace(lines.join('\n'));
  loop.detect(trace, { thresholds: DEFAULT_THRESHOLDS, models: NO_MODELS }, (draft) => drafts.push(draft));
  const { suggestedAction, fixes, explanation, promptRule, toolNote } = drafts.find(({ subtype }) =>
    ['exact_repetition', 'stalled', 'retry_storm', 'cyclic'].includes(subtype),
  )!;
  const texts = fixes.map(({ title, description, rationale, changes }) =>
    [title, description, rationale, ...changes.map(({ after }) => after)].join(' | '),
  );
  return { action: suggestedAction, fixes: texts.join('\n'), explanation, rules: [promptRule, toolNote] };
}

const repeated = (times: number, line: string) => Array.from({ length: times }, () => line);

it('calls without a recorded result have no guard that compares results', () => {
  const { action, fixes } = found(['agent clerk', ...repeated(5, 'tool search {"q":"hotel"}')]);
  expect(action).toContain('Record the results of search');
  expect(fixes).toContain('Record the results of search');
  expect(fixes).not.toMatch(/same result|unchanged result/);
});

it('after an answer, no fix asks for an answer from the result', () => {
  const { action, fixes } = found([
    'agent clerk',
    ...repeated(5, 'tool search {"q":"hotel"} -> "three hotels near the station"'),
    'llm m -> "There are three hotels."',
  ]);
  expect(action).not.toContain('answer with that result');
  expect(fixes).not.toContain('answer from that result');
});

it('a call that failed after its retry ends the run, and no fix allows a second retry', () => {
  const { action, fixes } = found(['agent clerk', ...repeated(6, 'tool post {"to":"x"} !! 503 service unavailable')]);
  expect(action).toContain('after the second equal error');
  expect(fixes).toContain('Limit retries of post to 1');
});

it('calls that waited for a later result have no guard, and the text names that result', () => {
  const { action, fixes, explanation, rules } = found([
    'agent clerk',
    'user "Render it."',
    ...repeated(7, 'tool job_state {"id":"r1"} -> {"id":"r1","state":"running","queue":"night"}'),
    'tool job_state {"id":"r1"} -> {"id":"r1","state":"done","queue":"night"}',
    'llm m -> "It is rendered."',
  ]);
  expect(explanation).toContain('The equal call at step 8 returned something else');
  expect(action).toContain('Wait longer between the calls of job_state');
  expect(fixes).not.toMatch(/a third time|result unchanged|unchanged result/);
  expect(rules).toEqual([null, null]);
});

it('a cycle that waited for a later result has no guard', () => {
  const { explanation, fixes } = found([
    'agent clerk',
    'user "Render it."',
    ...Array.from({ length: 6 }, () => [
      'tool look {"at":"r1"} -> {"id":"r1","state":"running","queue":"night"}',
      'tool pause_for {"reason":"give it time"} -> "ok"',
    ]).flat(),
    'tool look {"at":"r1"} -> {"id":"r1","state":"done","queue":"night"}',
    'llm m -> "It is rendered."',
  ]);
  expect(explanation).toContain('The equal call at step 13 returned something else');
  expect(fixes).not.toMatch(/a third time|result unchanged|unchanged result/);
});

it.each(['429 Too Many Requests: retry after 2 s', '503 Service Unavailable', 'ETIMEDOUT'])(
  'a call that is repeated after a temporary error is retried after a pause: %s',
  (error) => {
    const { action, fixes } = found([
      'agent clerk',
      ...repeated(3, `tool refund {"id":4} !! ${error}`),
      'llm m -> "Done."',
    ]);
    expect(action).toContain('Retry refund in its client with growing pauses');
    expect(fixes).not.toMatch(/same result|is final|its log/);
  },
);

it('an act that is only confirmed is not called useless', () => {
  const { action, fixes } = found([
    'agent clerk',
    ...repeated(9, 'tool press_key {"key":"PageDown"} -> "ok"'),
    'tool find_text {"text":"Imprint"} -> {"found":true,"href":"https://long.example/imprint","position":4120}',
    'llm m -> "It is at https://long.example/imprint."',
  ]);
  expect(action).toContain('Let press_key return the state after the call');
  expect(fixes).not.toMatch(/a third time|unchanged result/);
});
