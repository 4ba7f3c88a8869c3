import { expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { parseTrace } from '../_testing/notation.ts';
import { NO_MODELS } from '../_testing/tester.ts';
import { loop } from './detector.ts';

function found(lines: readonly string[]): { action: string; fixes: string } {
  const drafts: DetectionDraft<string>[] = [];
  const trace = parseTrace(lines.join('\n'));
  loop.detect(trace, { thresholds: DEFAULT_THRESHOLDS, models: NO_MODELS }, (draft) => drafts.push(draft));
  const { suggestedAction, fixes } = drafts.find(({ subtype }) =>
    ['exact_repetition', 'stalled', 'retry_storm'].includes(subtype),
  )!;
  const texts = fixes.map(({ title, description, rationale, changes }) =>
    [title, description, rationale, ...changes.map(({ after }) => after)].join(' | '),
  );
  return { action: suggestedAction, fixes: texts.join('\n') };
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
