import { expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import type { StepError, StepKind, Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { parseTrace } from '../_testing/notation.ts';
import { NO_MODELS } from '../_testing/tester.ts';
import { addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { toolFailure } from './detector.ts';

/** Explanation and advice of the first failure. */
function found(trace: Trace): DetectionDraft<string> {
  const drafts: DetectionDraft<string>[] = [];
  toolFailure.detect(trace, { thresholds: DEFAULT_THRESHOLDS, models: NO_MODELS }, (draft) => drafts.push(draft));
  return drafts[0]!;
}

/** A node of a workflow that fails; its input, and what its platform is called. */
function node(error: StepError, { framework = 'n8n', input = '' } = {}): Trace {
  const draft = { ...emptyDraft(), framework };
  const parent = addStep(draft, { kind: 'chain', name: 'order flow', error });
  addStep(draft, { kind: 'other', name: 'Total', node: 'Total', parent, input, error });
  return finishTrace(draft);
}

/** An n8n agent or chain whose model node failed. */
function modelNode(error: StepError, kind: StepKind = 'agent'): Trace {
  const draft = emptyDraft();
  draft.framework = 'n8n';
  const agent = addStep(draft, { kind, name: 'Clerk', node: 'Clerk', agent: 'Clerk', error });
  addStep(draft, { kind: 'llm', name: 'Chat Model', node: 'Chat Model', agent: 'Clerk', parent: agent, error });
  return finishTrace(draft);
}

const UNREAD = { type: 'TypeError', message: "Cannot read properties of undefined (reading 'price') [line 4]" };

it.each<[string, Trace, string]>([
  [
    'an address of the machine itself',
    node({ type: '', message: 'connect ECONNREFUSED 127.0.0.1:8099' }),
    'Check the address that Total is configured with: 127.0.0.1:8099 is the machine itself, and no program listens there.',
  ],
  [
    'an address elsewhere',
    node({ type: '', message: 'connect ECONNREFUSED 10.4.0.9:5432' }, { framework: 'langgraph' }),
    'Check that 10.4.0.9:5432 is the address that Total should call, and that it is up.',
  ],
  [
    'a service that answers that it is down',
    node({ type: '', message: '503 from http://stock.example/units: service unavailable' }, { framework: 'langgraph' }),
    'Check that http://stock.example/units is the address that Total should call, and that it is up. Retry in Total with growing pauses, at most 3 times. No retry of Total is recorded.',
  ],
  [
    'a node of a workflow platform whose error names no address',
    node({ type: '', message: 'stock service unavailable' }),
    'Check the address in the settings of Total, and that the service behind it is up: "stock service unavailable". Turn on Retry On Fail',
  ],
  [
    'a service without an address',
    node({ type: '', message: 'stock service unavailable' }, { framework: 'langgraph' }),
    'Check that the service behind Total is up, and name its address in the error: "stock service unavailable" names none. Retry in Total',
  ],
  [
    'the node where a workflow platform sets retries',
    node({ type: '429', message: 'Too many requests' }),
    'Turn on Retry On Fail, with a wait between the tries, in the settings of the node Total, or check the quota behind it. No retry of Total is recorded.',
  ],
  [
    'the agent node of a failed model node, which has no setting for retries',
    modelNode({ type: '429', message: 'Too many requests' }),
    'Turn on Retry On Fail, with a wait between the tries, in the settings of the node Clerk, or check the quota behind it.',
  ],
  [
    'the chain of a failed model node',
    modelNode({ type: '429', message: 'Too many requests' }, 'chain'),
    'Turn on Retry On Fail, with a wait between the tries, in the settings of the node Clerk, or check the quota behind it.',
  ],
  [
    'the time that was allowed',
    node({ type: '', message: 'The execution timed out after 7 seconds' }),
    'Shorten what it waits for, or raise the time limit of Total above 7 seconds.',
  ],
  [
    'the field and the line that read a missing value, with the fields of the input',
    node(UNREAD, { input: '[{"json":{"amount":3,"currency":"EUR"}}]' }),
    'In line 4 of Total, check that the value from which "price" is read exists before its use. Total received the fields amount, currency: read one of them, or have the step before Total provide the missing one.',
  ],
  ['no claim about an input that is not recorded', node(UNREAD), 'The input of Total is not recorded'],
  [
    'a record that already exists',
    node({ type: '', message: 'duplicate key value violates unique constraint "orders_pkey"' }),
    'Have Total update the existing record, or send an idempotency key',
  ],
  [
    'a span without a message',
    node({ type: '', message: '' }, { framework: 'langgraph' }),
    'Record the error of Total: its span',
  ],
  [
    'the arguments that a tool rejects',
    parseTrace(
      'agent clerk\ntool post_patch {"town":"Bern"} !! the patch has to begin with a header\nllm m -> "It is sunny."',
    ),
    'Have clerk correct the arguments of post_patch: step 0 passed {"town":"Bern"}, and the result is "the patch has to begin with a header".',
  ],
])('the advice names %s', (_, trace, advice) => {
  expect(found(trace).suggestedAction).toContain(advice);
});

it('does not mention an answer if none follows', () => {
  const { explanation } = found(
    parseTrace('agent clerk\nspan flow\n  tool forecast {"town":"Bern"} !! the archive is locked'),
  );
  expect(explanation).toContain('No answer of a model is recorded after it');
});

it('reports the step at which the time limit ended the run', () => {
  const draft = { ...emptyDraft(), framework: 'n8n' };
  const error = { type: '', message: 'The execution timed out after 7 seconds' };
  addStep(draft, { kind: 'chain', name: 'order flow', error });
  addStep(draft, { kind: 'other', name: 'Read orders', node: 'Read orders', parent: 0 });
  addStep(draft, { kind: 'other', name: 'Ask the bank', node: 'Ask the bank', parent: 0 });
  const { suggestedAction, explanation, fixes } = found(finishTrace(draft));
  expect(suggestedAction).toBe(
    'Shorten Ask the bank (step 2), the last step that had started, or raise the time limit of order flow above 7 seconds.',
  );
  expect(explanation).toContain('It ended in Ask the bank (step 2), the last step that had started.');
  expect(fixes[0]).toMatchObject({
    title: 'Give Ask the bank a time limit of its own, below that of order flow',
    changes: [{ target: 'Ask the bank' }],
  });
});

it('counts several failures of one kind', () => {
  const draft = emptyDraft();
  const error = { type: 'hook_error', message: 'the runner returned no output' };
  addStep(draft, { kind: 'other', name: 'session' });
  for (let nth = 0; nth < 3; nth += 1) addStep(draft, { kind: 'other', name: 'shop.hook', parent: 0, error });
  addStep(draft, { kind: 'tool', name: 'read', parent: 0, output: 'done' });
  const { explanation, suggestedAction, steps } = found(finishTrace(draft));
  expect(steps).toEqual([1, 2, 3]);
  expect(explanation).toContain('Step 1 (shop.hook) failed 3 times (steps 1, 2 and 3)');
  expect(explanation).toContain('Every recorded call of shop.hook failed.');
  expect(suggestedAction).toContain('Run the command that shop.hook is configured with by hand');
});

it.each([
  [
    'an agent with a task',
    'task "Weather?"\nagent clerk\nllm gpt-4o !! RateLimitError: 429 too many requests',
    'the user got no answer',
  ],
  [
    'a call without a task',
    'agent clerk\nllm gpt-4o !! RateLimitError: 429 too many requests',
    'without the work of this call',
  ],
])('says what was lost when the failure ended the run: %s', (_, text, impact) => {
  expect(found(parseTrace(text)).businessImpact).toContain(impact);
});

it('names the node of a workflow platform whose model call failed', () => {
  const draft = { ...emptyDraft(), framework: 'n8n' };
  const error = { type: '429', message: 'Too many requests' };
  addStep(draft, { kind: 'llm', name: 'Chat Model', model: 'gpt-4o', agent: 'Clerk', error });
  expect(found(finishTrace(draft)).suggestedAction).toContain('in the settings of the node Chat Model');
});

it('lists the steps after a failure that ended the run', () => {
  const draft = emptyDraft();
  const error = { type: '', message: 'the archive is locked' };
  addStep(draft, { kind: 'chain', name: 'order flow', error });
  addStep(draft, { kind: 'other', name: 'Total', node: 'Total', parent: 0, error });
  addStep(draft, { kind: 'chain', name: 'error flow' });
  expect(found(finishTrace(draft)).explanation).toContain(
    'The run failed with this failure; step 2 (error flow) ran after it.',
  );
});
