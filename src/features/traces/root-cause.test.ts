import { describe, expect, it } from 'vitest';
import { rankSteps } from '../../detectors/_attribution/rank-steps.ts';
import { parseTrace } from '../../detectors/_testing/notation.ts';
import { rootCauseOf, rootCauseRecord } from './root-cause.ts';
import type { Symptom } from './symptom.ts';

/** The writer makes a number up; everything later is built on it, and the payment fails. */
const RUN_TEXT = [
  'task "What does the order cost?"',
  'agent planner',
  'llm m -> "Writer, please compute what order 17 costs."',
  'agent writer',
  'llm m -> "I assume the order holds 9 bicycles at 468 each, so the total is 4217."',
  'agent checker',
  'llm m -> "The total 4217 looks right to me."',
  'agent planner',
  'tool pay {"amount":4217} !! Amount 4217 rejected',
  'llm m -> "The order costs 4217."',
].join('\n');
const RUN = parseTrace(RUN_TEXT);
const FOUND: Symptom = { severity: 'warning', confidence: 0.5, step: 3, spanIds: [], title: 'Payment failed' };
const spanOf = (step: number) => RUN.steps[step]!.spanId;

describe('the root cause', () => {
  it('is an earlier step, with what the trace shows of it and where the failure shows', () => {
    const cause = rootCauseRecord.parse(rootCauseOf(RUN, [FOUND]));
    expect(cause).toMatchObject({ step: 1, span_id: spanOf(1), agent: 'writer' });
    expect(cause.shows_at).toEqual({ step: 3, title: 'Payment failed' });
    expect(cause.why).toContain('later steps use numbers that appear in it first');
  });

  it.each<[string, Symptom[]]>([
    ['nothing was found', []],
    ['there are only observations', [{ ...FOUND, severity: 'observation' }]],
    ['there are only remarks', [{ ...FOUND, severity: 'info' }]],
    ['a detection names the step itself', [{ ...FOUND, step: 1 }]],
    ['the worst detection comes first', [{ ...FOUND, step: 0 }]],
    ['a detection involves the step', [{ ...FOUND, spanIds: [spanOf(1), spanOf(3)] }]],
    ['another detection names the step', [FOUND, { ...FOUND, severity: 'info', step: 1, title: 'Other' }]],
  ])('is not shown where %s', (_, symptoms) => {
    expect(rootCauseOf(RUN, symptoms)).toBeNull();
  });

  it('needs more than an error next to it, which the detection shows already', () => {
    const trace = parseTrace('agent a\nllm m -> "I pay."\nagent b\nllm m -> "Yes."\ntool pay {} !! Amount rejected');
    expect(rootCauseOf(trace, [{ ...FOUND, step: 2 }])).toBeNull();
  });

  it('counts a span around the named step for a place, not for a part of the fault', () => {
    const [head, ...lines] = RUN_TEXT.split('\n');
    const inNode = parseTrace([head, 'span run', ...lines.map((line) => `  ${line}`)].join('\n'));
    const spans = [0, 4].map((step) => inNode.steps[step]!.spanId);
    const found = { ...FOUND, step: 4, spanIds: spans };
    expect(rootCauseOf(inNode, [found])?.step).toBe(2);
  });

  it('is shown beside detections about the whole run, too', () => {
    expect(rootCauseOf(RUN, [{ ...FOUND, step: null }])).toMatchObject({ step: 1, shows_at: null });
  });

  it('blames no user', () => {
    const trace = parseTrace('user "Delete all 37 files, or keep them."\nagent a\nllm m -> "ok"\ntool rm {} !! No');
    expect(rootCauseOf(trace, [{ ...FOUND, step: 2 }])?.step).not.toBe(0);
  });

  it('gives only reasons that the trace shows', () => {
    const long = 'Perhaps it is likely, sorry, that nothing is missing. '.repeat(40);
    const trace = parseTrace(`agent a\nllm m -> "${long}"\nagent b\nllm m -> "Done."\nagent c\ntool x {} !! Timeout`);
    const cause = rootCauseOf(trace, [FOUND]);
    for (const reason of cause?.why ?? []) expect(reason).not.toMatch(/long|guess|missing|could not|early|new\b/);
  });

  const searches = Array.from({ length: 6 }, (_, n) =>
    [
      `llm m -> "${n === 0 ? 'Let me look.' : ''}" calls search {"q":"opening hours museum"}`,
      'tool search {"q":"opening hours museum"} -> {"results":[]}',
    ].join('\n'),
  );

  it.each(['Closed.', 'I found nothing.', 'Nope, zero.'])(
    'names no words of the answer where the last call has them: %s',
    (answer) => {
      const trace = parseTrace(
        ['user "When does the museum open?"', 'agent a', ...searches, `llm m -> "${answer}"`].join('\n'),
      );
      expect(rankSteps(trace)?.top.flatMap(({ why }) => why)).not.toContain(
        'words of the final answer appear in it first',
      );
      expect(rootCauseOf(trace, [{ ...FOUND, step: 4 }])).toBeNull();
    },
  );
});
