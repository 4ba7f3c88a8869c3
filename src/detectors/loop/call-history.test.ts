import type { Message, ToolCall, Trace } from '../../core/trace.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { loop } from './detector.ts';

const message = (role: string, content: string, toolCalls: ToolCall[], toolCallId: string | null): Message => ({
  role,
  name: null,
  content,
  toolCalls,
  toolCallId,
});
const request = (id: string) =>
  message('assistant', '', [{ id, name: 'lookup', arguments: { q: 'ferry' }, result: null }], null);

/** One model call whose messages contain the whole run so far, as if each model call is a trace of its own. */
function lastCall(results: readonly string[], answer: Message): Trace {
  const rounds = results.flatMap((result, at) => [request(`c${at}`), message('tool', result, [], `c${at}`)]);
  const draft = emptyDraft();
  addStep(draft, {
    kind: 'llm',
    agent: 'clerk',
    inputMessages: [message('user', 'When does the ferry leave?', [], null), ...rounds],
    output: answer.content,
    outputMessages: [answer],
  });
  return finishTrace(draft);
}

const SAME = Array.from({ length: 7 }, () => 'The timetable lists ferries from Monday to Sunday; choose a port first.');
const SENTENCE = 'clerk called lookup 7 times in a row with the same arguments {"q":"ferry"} and got the same result';

const rows: DetectorRow[] = [
  {
    name: 'exact_repetition: in the messages of the only model call',
    trace: lastCall(SAME, request('c9')),
    fires: [{ subtype: 'exact_repetition', severity: 'critical', step: 0, text: SENTENCE }],
  },
  {
    name: 'exact_repetition: the answer of this model call ends the loop',
    trace: lastCall(SAME, message('assistant', 'I do not know.', [], null)),
    fires: [{ subtype: 'exact_repetition', severity: 'warning', text: SENTENCE }],
  },
  {
    name: 'silent: different results in the messages',
    trace: lastCall(
      SAME.map((text, at) => `${text} Page ${at} of 7 is shown.`),
      request('c9'),
    ),
    silent: true,
  },
];

testDetector(loop, rows);
