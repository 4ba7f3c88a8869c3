import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../core/thresholds.ts';
import type { Message, Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { actOf } from '../_readings/conduct/call-acts.ts';
import { withSimilarArguments } from '../_readings/repeats/similar-calls.ts';
import { parseTrace } from '../_testing/notation.ts';
import { NO_MODELS } from '../_testing/tester.ts';
import { addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { loop } from './detector.ts';

/** Nearly equal calls are compared as equal ones. */
const SIMILAR = { ...DEFAULT_THRESHOLDS, structuralThreshold: 0.7 };

/** The first detection, without the words that name the kind of equality. */
function found(trace: Trace, thresholds: Thresholds): object {
  const drafts: DetectionDraft<string>[] = [];
  loop.detect(trace, { thresholds, models: NO_MODELS }, (draft) => drafts.push(draft));
  const { explanation, ...draft } = drafts[0]!;
  return { ...draft, explanation: explanation.replace('the same or nearly the same arguments', 'the same arguments') };
}

const message = (role: string, content: string, query?: object): Message => ({
  role,
  name: null,
  content,
  toolCalls: query === undefined ? [] : [{ id: null, name: 'search', arguments: query as JsonObject, result: null }],
  toolCallId: null,
});

/** A run whose calls are in the messages of its only recorded model call, which answers. */
function callsInHistory(query: (round: number) => object): Trace {
  const draft = emptyDraft();
  const rounds = Array.from({ length: 4 }, (_, round) => [
    message('assistant', '', query(round)),
    message('tool', 'the Swan, the Mill'),
  ]);
  const inputMessages = [message('user', 'Which inns are there?'), ...rounds.flat()];
  const answer = 'There are two inns.';
  addStep(draft, {
    kind: 'llm',
    agent: 'clerk',
    inputMessages,
    output: answer,
    outputMessages: [message('assistant', answer)],
  });
  return finishTrace(draft);
}

describe('equal calls have the same detection at a threshold for nearly equal ones', () => {
  it.each<[string, Trace]>([
    ['calls in the messages of the model call that answers', callsInHistory(() => ({ query: 'inns' }))],
    [
      'edits that were rejected',
      parseTrace(
        [
          'agent clerk',
          ...Array(4).fill(
            'tool str_replace {"path":"inn.py","old":"a","new":"b"} -> "Error: no match for old in inn.py"',
          ),
          'llm gpt-4o -> "Done."',
        ].join('\n'),
      ),
    ],
  ])('%s', (_, trace) => {
    expect(found(trace, SIMILAR)).toEqual(found(trace, DEFAULT_THRESHOLDS));
  });
});

it('nearly equal calls before an answer', () => {
  const trace = callsInHistory((page) => ({ query: 'inns', town: 'Bern', stars: 3, page }));
  expect(found(trace, SIMILAR)).toMatchObject({
    suggestedAction: expect.stringContaining('have it pass other arguments or call another tool.'),
  });
});

it('what a call does, although its arguments are replaced by similar ones', () => {
  const edit = (page: number) =>
    `tool str_replace {"path":"inn.py","old":"a","new":"b","page":${page}} -> "Error: no match"`;
  const trace = parseTrace(['agent clerk', ...[1, 2, 3, 4].map(edit)].join('\n'));
  const uses = withSimilarArguments(toolUses(trace), SIMILAR);
  expect(new Set(uses.map(({ argumentsText }) => argumentsText)).size).toBe(1);
  expect(uses.map((use) => actOf(trace, use))).toEqual(Array(4).fill('edit'));
});
