import { expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import { runDetectors } from '../_runner/run.ts';
import { parseTrace } from '../_testing/notation.ts';
import { NO_MODELS } from '../_testing/tester.ts';

const ID = 'abc_Rk90417Tq2';
const messageOf = (answer: string) =>
  parseTrace(`agent clerk\ntool get_order {"id":"K4471902"} -> "sent"\nllm gpt-4o 80/20 -> ${JSON.stringify(answer)}`);

/** A trace in which the answer names an id that only this field of the trace has. */
function withId(put: (trace: Trace) => void): Trace {
  const trace = messageOf(`The call ${ID} gave nothing.`);
  put(trace);
  return trace;
}

function inventedIn(trace: Trace): string[] {
  const context = { thresholds: DEFAULT_THRESHOLDS, models: NO_MODELS, overrides: {}, enabled: {} };
  const { detections } = runDetectors(trace, context);
  return detections.filter(({ subtype }) => subtype === 'invented_identifier').map(({ type }) => type);
}

it.each<[string, (trace: Trace) => void]>([
  ['a tool call', ({ steps }) => (steps[0]!.tool!.id = ID)],
  ['a message', ({ steps }) => (steps[1]!.messageId = ID)],
  ['a span', ({ steps }) => (steps[0]!.spanId = ID)],
  ['the session', (trace) => (trace.sessionId = ID)],
  ['the thread', (trace) => (trace.threadId = ID)],
  [
    'a call that a model asked for',
    ({ steps }) =>
      steps[1]!.outputMessages.push({
        role: 'assistant',
        name: null,
        content: '',
        toolCalls: [{ id: ID, name: 'get_order', arguments: null, result: null }],
        toolCallId: null,
      }),
  ],
])('the id of %s is not reported', (_title, put) => {
  expect(inventedIn(withId(put))).toEqual([]);
});

it('an id that occurs in no field of the trace is invented', () => {
  expect(inventedIn(withId(() => {}))).toEqual(['grounding']);
});
