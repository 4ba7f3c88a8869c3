import { expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { NO_MODELS } from '../_testing/tester.ts';
import { addStep, emptyDraft, finishTrace, type StepDraft } from '../_testing/trace-draft.ts';
import { toolFailure } from './detector.ts';

function found(trace: Trace): DetectionDraft<string>[] {
  const drafts: DetectionDraft<string>[] = [];
  toolFailure.detect(trace, { thresholds: DEFAULT_THRESHOLDS, models: NO_MODELS }, (draft) => drafts.push(draft));
  return drafts;
}

const REJECTED = "[ERROR] status_code: 400, body: {'message': 'invalid tool call arguments'}";

function call(name: string, result = `Unknown tool name: '${name}'. Available tools: 'pour', 'mix'`): StepDraft {
  const tool = { id: null, name, arguments: '{"a":1}{"b":2}', result };
  return { kind: 'tool', name, agent: 'baker', tool };
}

function failed(message: string, kind: StepDraft['kind'] = 'message'): StepDraft {
  const agent = kind === 'message' ? 'host' : 'baker';
  return { kind, name: kind === 'message' ? 'host' : 'm-2', agent, output: '', error: { type: '', message } };
}

const ANSWER: StepDraft = { kind: 'llm', name: 'm-2', agent: 'baker', output: 'I look at the oven.' };

function run(...steps: readonly StepDraft[]): Trace {
  const draft = emptyDraft();
  for (const step of steps) addStep(draft, step);
  return { ...finishTrace(draft), isSettled: true };
}

it('reports all failures that follow joined calls once, with the joined calls as their cause', () => {
  const [first, ...others] = found(
    run(
      ANSWER,
      call('pourpour'),
      failed(REJECTED),
      ANSWER,
      call('mixpour'),
      failed(REJECTED),
      failed('[ERROR] Gave up'),
    ),
  );
  expect(others).toEqual([]);
  expect(first).toMatchObject({ subtype: 'invalid_arguments', step: 2, steps: [1, 2, 4, 5, 6] });
  expect(first!.explanation).toBe(
    `3 messages of host report an error (steps 2, 5 and 6): "${REJECTED}". The first one follows step 1, where several calls of one turn were joined into a call of pourpour. The run ended with this failure.`,
  );
  expect(first!.suggestedAction).toBe(
    'Correct how the client of baker reads streamed calls, so that each call keeps its own name and arguments. Until then, switch parallel calls off. Before a retry, remove the call of step 1 from the messages: the request that follows it failed.',
  );
});

it('reports a model call that failed after joined calls', () => {
  const [first, ...others] = found(run(ANSWER, call('pourpour'), failed('400 invalid tool call arguments', 'llm')));
  expect(others).toEqual([]);
  expect(first!.explanation).toContain(
    'The model call m-2 by baker at step 2 was rejected because of its arguments: "400 invalid tool call arguments". It follows step 1, where several calls of one turn were joined into a call of pourpour.',
  );
});

it('leaves joined calls whose error is recorded to tool_provision', () => {
  const refused = { ...call('pourpour', ''), error: { type: '', message: 'unknown tool pourpour' } };
  expect(found(run(ANSWER, call('pour', 'poured'), refused, ANSWER))).toEqual([]);
});

it.each<[string, StepDraft[]]>([
  ['a call worked between them', [call('pourpour'), call('pour', 'poured'), failed(REJECTED)]],
  ['the model answered between them', [call('pourpour'), ANSWER, failed(REJECTED)]],
  ['the request was too early', [call('pourpour'), failed('[ERROR] 429 too many requests')]],
  ['the name is no sequence of names', [call('pourpot'), failed(REJECTED)]],
])('does not name joined calls as the cause: %s', (_, steps) => {
  expect(found(run(call('pour', 'poured'), ANSWER, ...steps))[0]!.explanation).not.toContain('joined');
});
