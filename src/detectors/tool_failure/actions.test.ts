import { describe, expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import type { FailedCode, HookRun, SenderId, StepError, StepKind, Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { parseTrace } from '../_testing/notation.ts';
import { NO_MODELS } from '../_testing/tester.ts';
import { addStep, emptyDraft, finishTrace, type StepDraft } from '../_testing/trace-draft.ts';
import { toolFailure } from './detector.ts';

/** Explanation and advice of the first failure. */
function found(trace: Trace): DetectionDraft<string> {
  const drafts: DetectionDraft<string>[] = [];
  toolFailure.detect(trace, { thresholds: DEFAULT_THRESHOLDS, models: NO_MODELS }, (draft) => drafts.push(draft));
  return drafts[0]!;
}

/** A node of a workflow that fails; its input, and what its platform is called. */
function node(error: StepError, { framework = 'n8n', input = '', isRootOnly = false } = {}): Trace {
  const draft = { ...emptyDraft(), framework };
  const parent = addStep(draft, { kind: 'chain', name: 'order flow', error });
  if (!isRootOnly) addStep(draft, { kind: 'other', name: 'Total', node: 'Total', parent, input, error });
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
    'Check the address in the settings of Total, and that the stock service is up: "stock service unavailable". Turn on Retry On Fail',
  ],
  [
    'a service without an address',
    node({ type: '', message: 'stock service unavailable' }, { framework: 'langgraph' }),
    'Check that the stock service is up, and name its address in the error: "stock service unavailable" names none. Retry in Total',
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
    'In line 4 of Total, check that the value from which "price" is read exists before its use. The code of Total is not recorded. The input of Total contains the fields amount and currency.',
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

/** A game whose master rejects the answer of a player, and a last step after it. */
function rejectedAnswer(last: 'message' | 'llm'): Trace {
  const draft = emptyDraft();
  const step = { agent: 'master', name: 'master' };
  addStep(draft, { kind: 'llm', name: 'm', agent: 'player', output: 'My guess may be a boat, or' });
  addStep(draft, {
    ...step,
    kind: 'message',
    output: 'No guess.',
    error: { type: '', message: 'The guess has no end' },
  });
  if (last === 'llm') addStep(draft, { kind: 'llm', name: 'm', agent: 'player', output: 'guess: boat' });
  else addStep(draft, { ...step, kind: 'message', output: 'The game is over.' });
  return { ...finishTrace(draft), isSettled: true };
}

it('names the service of a model that was overloaded, and no service that the model calls', () => {
  const { explanation, suggestedAction } = found(
    parseTrace('agent bob\nllm m -> "I look."\nllm gpt-4o !! Error 529: overloaded_error'),
  );
  expect(explanation).toContain('because the service of the model was overloaded');
  expect(suggestedAction).toContain('Call the service of gpt-4o less often');
});

it('reports the message that rejected an answer and ended the run', () => {
  const { explanation, suggestedAction } = found(rejectedAnswer('message'));
  expect(explanation).toContain(
    'The message of master at step 1 failed: "The guess has no end". This failure ended the run',
  );
  expect(suggestedAction).toContain('Give player the message of step 1 and let it answer again');
});

it('does not say that the run ended if the player answered again', () => {
  expect(found(rejectedAnswer('llm')).explanation).not.toContain('ended the run');
});

it('names the answer that a model repeats although it is rejected', () => {
  const game = (answers: readonly string[]) => {
    const draft = emptyDraft();
    for (const output of answers)
      addStep(draft, {
        kind: 'llm',
        name: 'm',
        agent: 'player',
        output,
        error: { type: '', message: 'Nothing happens.' },
      });
    return found({ ...finishTrace(draft), isSettled: true });
  };
  const { explanation, suggestedAction } = game(['ouch!', 'ouch!', 'ouch!']);
  expect(explanation).toContain('Each time the model answered "ouch!".');
  expect(suggestedAction).toContain(
    'send player what was wrong with it and the form that is expected: it repeated "ouch!"',
  );
  expect(game(['go north', 'go south', 'go east']).explanation).not.toContain('Each time');
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
  const { suggestedAction, explanation, fixes, step, steps } = found(finishTrace(draft));
  expect([step, steps]).toEqual([2, [0, 2]]);
  expect(suggestedAction).toBe(
    'Shorten Ask the bank (step 2), the last step that had started, or raise the time limit of order flow above 7 seconds.',
  );
  expect(explanation).toContain('It ended in Ask the bank (step 2), the last step that had started.');
  expect(fixes[0]).toMatchObject({
    title: 'Give Ask the bank a time limit of its own, below that of order flow',
    changes: [{ target: 'Ask the bank' }],
  });
});

describe('a node that ran for several items and failed for one', () => {
  const failing = (startedRuns: { id: string; workflow: string }[]) => {
    const draft = { ...emptyDraft(), framework: 'n8n' };
    addStep(draft, { kind: 'chain', name: 'order flow' });
    for (const n of [1, 2, 3]) {
      const error = n === 2 ? { type: '', message: 'record 2 is broken [line 1]' } : null;
      const facts = { ...(n === 2 ? { errorFallback: 'error_item' as const } : {}), startedRuns };
      addStep(draft, { kind: 'other', name: 'Ask', node: 'Ask', parent: 0, input: `{"n":${n}}`, error, facts });
    }
    return found(finishTrace(draft));
  };

  it('names the item', () => {
    const { explanation, suggestedAction } = failing([]);
    expect(explanation).toContain('1 of 3 recorded runs of Ask failed, with the input {"n":2}.');
    expect(suggestedAction).toContain('Correct in Ask what "record 2 is broken [line 1]" names.');
  });

  it('names the run of the other workflow that it started, and corrects that workflow', () => {
    const { explanation, suggestedAction } = failing([{ id: '279', workflow: 'wfSub01' }]);
    expect(explanation).toContain('It had started execution 279 of workflow wfSub01.');
    expect(suggestedAction).toContain(
      'Correct in workflow wfSub01, whose execution 279 Ask had started, what "record 2 is broken [line 1]" names.',
    );
  });
});

describe('a run without an error message', () => {
  const failed = (senderIds: SenderId[]) => {
    const draft = { ...emptyDraft(), framework: 'langgraph' };
    addStep(draft, { kind: 'chain', name: 'looping', error: { type: '', message: '' } });
    const trace = finishTrace(draft);
    return found(senderIds.length === 0 ? trace : { ...trace, senderIds }).suggestedAction;
  };

  it('is looked up under the ids of its sender', () => {
    const ids = [
      { name: 'run_id', id: 'r-1' },
      { name: 'thread_id', id: 't-1' },
    ];
    expect(failed(ids)).toBe(
      'Have looping report its error: its record has no message. Until then, look at the state of the thread and the log of the service for run_id r-1 and thread_id t-1.',
    );
  });

  it('is looked up under its trace id if its sender knows it', () => {
    expect(failed([])).toMatch(/^Record the error of looping: its span \([0-9a-f]{16}\) has no message\./);
    expect(failed([])).toMatch(/for trace \w+\.$/);
  });
});

describe('hooks that failed', () => {
  const failing = (hooks: readonly HookRun[]) => {
    const draft = emptyDraft();
    addStep(draft, { kind: 'other', name: 'session' });
    const error = { type: 'hook_error', message: 'the runner returned no output' };
    for (const hook of hooks) addStep(draft, { kind: 'other', name: 'shop.hook', parent: 0, error, facts: { hook } });
    return found({ ...finishTrace(draft), status: 'error' }).explanation;
  };
  const before: HookRun = { event: 'PreToolUse', tool: 'edit', letsProceed: true };
  const after: HookRun = { event: 'PostToolUse', tool: 'edit', letsProceed: null };

  it('are named by event and tool, with whether the calls ran', () => {
    const explanation = failing([before, after, { ...before, tool: 'run' }]);
    expect(explanation).toContain(
      'They are hooks of PreToolUse (2) and PostToolUse (1), for the tools edit and run. The hooks that decide on a call let it proceed.',
    );
    expect(explanation).not.toContain('No answer of a model');
    expect(explanation).not.toContain('no answer of a model');
  });

  it('do not say that calls ran if one was blocked or none is decided', () => {
    expect(failing([before, { ...before, letsProceed: false }])).not.toContain('proceed');
    expect(failing([after])).toContain('It is a hook of PostToolUse, for the tool edit.');
    expect(failing([after])).not.toContain('proceed');
  });
});

describe('a workflow whose time limit is shorter than a pause in its settings', () => {
  const timedOut = (pauseMs: number) => {
    const draft = { ...emptyDraft(), framework: 'n8n' };
    const error = { type: '', message: 'The execution timed out after 2 seconds' };
    addStep(draft, { kind: 'chain', name: 'order flow', error, durationMs: 2_000 });
    addStep(draft, { kind: 'other', name: 'Cool down', node: 'Cool down', parent: 0, durationMs: 2_000 });
    const node = { name: 'Cool down', type: 'wait', isEntry: false, pauseMs };
    return found({ ...finishTrace(draft), graph: { nodes: [node], edges: [] } });
  };

  it('states both durations, and advises a limit above the pause', () => {
    const { explanation, suggestedAction, fixes } = timedOut(20_000);
    expect(explanation).toContain(
      'It ended in Cool down (step 1), which its settings let pause for 20 seconds, longer than the limit of 2 seconds.',
    );
    expect(suggestedAction).toBe(
      'Let Cool down (step 1) pause for less than 2 seconds, or raise the time limit of order flow well above 20 seconds.',
    );
    expect(fixes[0]).toMatchObject({
      changes: [{ target: 'Cool down', after: expect.stringContaining('20 seconds') }],
    });
  });

  it('does not blame a pause that fits into the limit', () => {
    expect(timedOut(1_000).suggestedAction).toContain('raise the time limit of order flow above 2 seconds');
  });
});

it('the decisive step of a timeout is the run if its last step had ended', () => {
  const draft = { ...emptyDraft(), framework: 'n8n' };
  const error = { type: '', message: 'The execution timed out after 7 seconds' };
  addStep(draft, { kind: 'chain', name: 'order flow', error, durationMs: 7_000 });
  addStep(draft, { kind: 'other', name: 'Read orders', node: 'Read orders', parent: 0 });
  expect(found(finishTrace(draft)).step).toBe(0);
});

it('the decisive step of a timeout is the node that the error names', () => {
  const draft = { ...emptyDraft(), framework: 'n8n' };
  const nodes = ['Ask', 'Ask the bank', 'Note it'].map((name) => ({ name, type: '', isEntry: false }));
  draft.graph = { nodes, edges: [] };
  const error = { type: '', message: 'The execution timed out after 7 seconds; Ask the bank had not finished' };
  addStep(draft, { kind: 'chain', name: 'order flow', error });
  for (const { name } of nodes) addStep(draft, { kind: 'other', name, node: name, parent: 0 });
  const { step, explanation } = found(finishTrace(draft));
  expect(step).toBe(2);
  expect(explanation).toContain('It ended in Ask the bank (step 2).');
});

it.each<[string, Trace, string]>([
  [
    'the whole workflow',
    node({ type: '', message: 'The execution timed out after 7 seconds' }, { isRootOnly: true }),
    'The workflow ended with this failure, before its work was done.',
  ],
  [
    'the whole run of another program',
    node({ type: '', message: 'out of paper' }, { isRootOnly: true, framework: 'custom' }),
    'The run ended with this failure, before its work was done.',
  ],
  [
    'a node',
    node({ type: '', message: 'out of paper' }),
    'The run ended with this failure, without the work of this step.',
  ],
])('says whose work is missing: %s', (_, trace, impact) => {
  expect(found(trace).businessImpact).toBe(impact);
});

it('does not take one of several steps without a parent for the run', () => {
  const draft = emptyDraft();
  addStep(draft, { kind: 'other', name: 'hook', error: { type: 'hook_error', message: 'the hook returned nothing' } });
  addStep(draft, { kind: 'tool', name: 'read', output: 'done' });
  expect(found(finishTrace(draft)).businessImpact).toBe('The work of this step was not done.');
});

it('says of a step after which the run continued that its work was not done', () => {
  const draft = emptyDraft();
  addStep(draft, { kind: 'other', name: 'session' });
  addStep(draft, {
    kind: 'other',
    name: 'Total',
    node: 'Total',
    parent: 0,
    error: { type: '', message: 'out of paper' },
  });
  addStep(draft, { kind: 'tool', name: 'read', parent: 0, output: 'done' });
  expect(found(finishTrace(draft)).businessImpact).toBe('The work of this step was not done.');
});

it.each<[string, string, string, string]>([
  ['an address', 'connect ECONNREFUSED 10.4.0.9:5432', '10.4.0.9:5432 refused the connection', '10.4.0.9:5432'],
  [
    'a service behind an error code',
    'Error running tool: Error: ECONNREFUSED stock backend down',
    'the stock backend refused the connection',
    'Check that the stock backend is up',
  ],
  [
    'a service behind another error code',
    'ERR_SOCKET_BAD orders database unavailable',
    'the orders database was down or unreachable',
    'Check that the orders database is up',
  ],
  [
    'a service whose name is in capitals',
    'ERP backend unavailable',
    'the ERP backend was down or unreachable',
    'Check that the ERP backend is up',
  ],
  [
    'a host',
    'getaddrinfo ENOTFOUND stock.example.com',
    'the host name stock.example.com was not resolved',
    'stock.example.com',
  ],
  [
    'a host in a Python error',
    "HTTPSConnectionPool(host='stock.example.com', port=443): Max retries exceeded: connection refused",
    'stock.example.com refused the connection',
    'stock.example.com',
  ],
  [
    'a database',
    'the orders database is unavailable',
    'the orders database was down or unreachable',
    'the orders database',
  ],
  ['a named service', 'stock service unavailable', 'the stock service was down or unreachable', 'the stock service'],
  ['no service', '503 Service Unavailable', 'a service that it needs was down or unreachable', 'the service that'],
  ['no service', 'socket hang up', 'the connection to a service that it needs ended', 'the service that'],
])('names what the error names: %s', (_, message, text, advice) => {
  const { explanation, suggestedAction } = found(
    parseTrace(`agent clerk\ntool stock {"item":1} !! ${message}\nllm m -> "It is sunny."`),
  );
  expect(explanation).toContain(`failed because ${text}`);
  expect(suggestedAction).toContain(advice);
  expect([explanation, suggestedAction].join()).not.toContain('behind');
});

/** A tool fails; the model does not answer after it, and the agent around both has this output. */
function endedByAgent(output: string): Trace {
  const draft = { ...emptyDraft(), task: 'Weather in Paris?', finalOutput: output === '' ? null : output };
  const parent = addStep(draft, { kind: 'agent', name: 'researcher', agent: 'researcher', output });
  addStep(draft, { kind: 'llm', name: 'chat', agent: 'researcher', parent, output: 'I look it up.' });
  const error = { type: 'Error', message: 'connect ECONNREFUSED 10.0.0.1:443' };
  addStep(draft, { kind: 'tool', name: 'get_weather', agent: 'researcher', parent, error });
  return finishTrace(draft);
}

it('takes the output of the agent around the call as the last answer if no model answers after it', () => {
  const { explanation, suggestedAction } = found(endedByAgent('done'));
  expect(explanation).toContain(
    'The output of researcher ("done") does not mention the failure, and no later call of it worked, so its result is missing.',
  );
  expect(explanation).not.toContain('No answer of a model');
  expect(suggestedAction).toContain('Make researcher tell the user that get_weather failed.');
});

it('names no answer if the agent around the call has no output', () => {
  const { explanation, suggestedAction } = found(endedByAgent(''));
  expect(explanation).toContain('No answer of a model is recorded after it');
  expect(suggestedAction).not.toContain('tell the user');
});

describe('a property that is read of undefined', () => {
  const reading = (failedCode?: FailedCode) => {
    const draft = { ...emptyDraft(), framework: 'n8n' };
    const facts = failedCode === undefined ? {} : { failedCode };
    const parent = addStep(draft, { kind: 'chain', name: 'order flow', error: UNREAD });
    const input = '[{"json":{"amount":3,"currency":"EUR"}}]';
    addStep(draft, { kind: 'other', name: 'Total', node: 'Total', parent, input, error: UNREAD, facts });
    return found(finishTrace(draft));
  };
  const code = { line: 4, text: 'sum += order.price;', value: 'order' };

  it('is no statement about the data if the code is not recorded', () => {
    const { explanation, title, businessImpact } = reading();
    expect(explanation).toContain('Step 1 (Total) stopped because its code read "price" of undefined: ');
    expect(title).toBe('Code read a property of a missing value');
    expect(businessImpact).toBe('The run ended with this failure, without the work of this step.');
  });

  it('quotes the line, and names the value that does not come from the input', () => {
    const { explanation, suggestedAction, fixes } = reading({ ...code, isFromInput: false });
    expect(explanation).toContain('Line 4 of its code is "sum += order.price;". Its input does not set order.');
    expect(suggestedAction).toBe(
      'Give order a value in the code of Total before line 4 reads "price" of it ("sum += order.price;").',
    );
    expect(JSON.stringify([explanation, suggestedAction, fixes[0]])).not.toMatch(/shape|received/);
  });

  it('leaves open where the value comes from if the code does not show it', () => {
    const { explanation, suggestedAction } = reading({ ...code, isFromInput: null });
    expect(explanation).toContain('Line 4 of its code is "sum += order.price;".');
    expect(suggestedAction).toBe(
      'Find out why order is undefined in line 4 of Total ("sum += order.price;"), and check that it exists before "price" is read of it. The input of Total contains the fields amount and currency.',
    );
  });

  it('is about the data if the code reads them', () => {
    const { explanation, suggestedAction, businessImpact } = reading({
      ...code,
      text: 'sum += $json.order.price;',
      value: '$json.order',
      isFromInput: true,
    });
    expect(explanation).toContain('Step 1 (Total) stopped because its data has another shape than expected: ');
    expect(explanation).toContain('Line 4 of its code is "sum += $json.order.price;", which reads its input.');
    // The impact of the subtype.
    expect(businessImpact).toBeUndefined();
    expect(suggestedAction).toBe(
      'In line 4 of Total, check that $json.order exists before "price" is read of it. The input of Total contains the fields amount and currency: read one of them, or have the step before Total provide the missing one.',
    );
  });
});

describe('an error whose stack shows a line of the program', () => {
  const failing = (step: StepDraft, isRaisedHere: boolean, message = 'boom') => {
    const draft = { ...emptyDraft(), framework: 'langgraph' };
    const ownFrame = { file: '/srv/shop/send.mjs', line: 22, isRaisedHere };
    const error = { type: 'TypeError', message, isStackRecorded: true as const, ownFrame };
    addStep(draft, { agent: 'planner', ...step, error });
    return found(finishTrace(draft));
  };

  it('names the line in the text and in the advice', () => {
    const { explanation, suggestedAction, fixes } = failing({ kind: 'llm', name: 'chat', model: 'gpt-4o' }, true);
    expect(explanation).toContain('"TypeError: boom". It was raised in line 22 of /srv/shop/send.mjs.');
    expect(suggestedAction).toBe('Correct line 22 of /srv/shop/send.mjs, which raises "boom".');
    expect(fixes[0]).toMatchObject({ changes: [{ target: '/srv/shop/send.mjs' }] });
  });

  it('names the line that called a library', () => {
    const { explanation, suggestedAction } = failing({ kind: 'llm', name: 'chat', model: 'gpt-4o' }, false);
    expect(explanation).toContain('A library that line 22 of /srv/shop/send.mjs called raised it.');
    expect(suggestedAction).toBe('Correct the call in line 22 of /srv/shop/send.mjs, below which "boom" was raised.');
  });

  it('names the line of a tool', () => {
    const tool = { id: null, name: 'ship', arguments: { crate: 4 }, result: null };
    const { suggestedAction } = failing({ kind: 'tool', name: 'ship', tool }, true);
    expect(suggestedAction).toContain(
      'Call ship with the input of step 0 in a test, and correct line 22 of /srv/shop/send.mjs, which raises "boom".',
    );
  });

  it('names the line of a failed service in the text', () => {
    const { explanation } = failing(
      { kind: 'chain', name: 'bad_node', node: 'bad_node' },
      true,
      'database unavailable',
    );
    expect(explanation).toContain('It was raised in line 22 of /srv/shop/send.mjs.');
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
    'This failure ended the run; step 2 (error flow) ran after it.',
  );
});
