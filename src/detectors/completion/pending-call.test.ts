import { expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { pendingCall } from './pending-call.ts';

const verdictOn = (last: string) =>
  pendingCall(parseTrace(`agent surfer\ntool click {"index":3} -> "page 2"\nllm m -> ${JSON.stringify(last)}`));

it.each([
  [
    'fields as Python prints them',
    "state=Brain(goal='Accept the notice.') action=[Step(done=None, click=Click(index=9))]",
  ],
  ['JSON with the tool as a field', '{"goal":"Accept the notice.","action":[{"click":{"index":9}}]}'],
  ['JSON with the name of the tool', '{"thought":"Accept the notice.","tool":"click","args":{"index":9}}'],
  ['the notation of ReAct', 'Thought: accept the notice.\nAction: click[9]'],
  ['the notation of ReAct on two lines', 'Thought: accept the notice.\nAction: click\nAction Input: {"index": 9}'],
])('reads a call that was never made: %s', (_, last) => {
  expect(verdictOn(last)).toMatchObject({ subtype: 'call_pending', step: 1, agent: 'surfer' });
});

it.each([
  ['an answer', 'The notice can be accepted with a click on 9.'],
  ['a structured answer', '{"answer":"9","clicks":{"index":9}}'],
  [
    'a field of the tool that is not used',
    "state=Brain(goal='Done.') action=[Step(done=Done(text='It is 9.'), click=None)]",
  ],
  ['an answer that explains a call', 'Use {"tool":"click","args":{"index":9}} to accept the notice.'],
  ['a tool that the run never used', '{"tool":"scroll","args":{"by":9}}'],
  ['the final answer in the notation of ReAct', 'Thought: done.\nAction: finish[9]'],
])('is silent: %s', (_, last) => {
  expect(verdictOn(last)).toBeNull();
});

it('does not report a call that was made', () => {
  const text = `agent surfer
tool click {"index":3} -> "page 2"
llm m -> "Action: click[9]"
tool click {"index":9} -> "page 3"`;
  expect(pendingCall(parseTrace(text))).toBeNull();
});

it('lists every call that is written as text', () => {
  const verdict = verdictOn(
    "action=[Step(type=None, click=Click(index=9)), Step(type=type_fields(text='rye'), click=None)]",
  );
  expect(verdict).toMatchObject({
    explanation: expect.stringContaining('writes out calls of click and type'),
    suggestedAction: expect.stringContaining(
      'return that answer instead of the calls of click and type that step 1 writes out',
    ),
    evidence: [{ quote: expect.stringMatching(/^click=Click\(index=9\)/) }],
  });
});

it('says since when the agent reports failures', () => {
  const text = `agent surfer
llm m -> "The click failed."
tool click {"index":3} -> "page 2"
llm m -> "The click failed again."
tool click {"index":3} -> "page 2"
llm m -> "Action: click[9]"`;
  expect(pendingCall(parseTrace(text))!.explanation).toContain(
    'no answer follows. 2 earlier messages of surfer (steps 0 and 2) already admit a failure, the first one: "The click failed."',
  );
});

it('quotes the failure that the message states', () => {
  const verdict = verdictOn(
    "state=Brain(verdict='Failed - the notice still covers the page.', goal='Accept it.') action=[Step(click=Click(index=9))]",
  );
  expect(verdict!.explanation).toContain('The message says "Failed - the notice still covers the page."');
  expect(verdict!.suggestedAction).toMatch(/^If the steps of surfer are used up/);
});

it.each([
  [4, /^Continue the run with the call of click that step 1 writes out: its message counts 4 of 9/],
  [9, /^If the steps of surfer are used up/],
])('reads the count of steps in the message: %d of 9', (used, expected) => {
  const verdict = verdictOn(
    `state=Brain(memory='The page is open. Step count ${used}/9.') action=[Step(click=Click(index=9))]`,
  );
  expect(verdict!.suggestedAction).toMatch(expected);
});
