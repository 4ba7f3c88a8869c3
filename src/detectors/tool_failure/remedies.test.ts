import { describe, expect, it } from 'vitest';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import type { ErrorFallback, FailureSettings, StepError, StepKind, Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { fixesOf } from '../_runner/detection-of.ts';
import { parseTrace } from '../_testing/notation.ts';
import { NO_MODELS } from '../_testing/tester.ts';
import { addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { toolFailure } from './detector.ts';

interface Found {
  action: string;
  /** One line per fix: title, description and changes. */
  fixes: string[];
}

/** Suggested action and all fixes of the first failure, also those that the manifest adds. */
function adviceIn(trace: Trace): Found {
  const drafts: DetectionDraft<string>[] = [];
  toolFailure.detect(trace, { thresholds: DEFAULT_THRESHOLDS, models: NO_MODELS }, (draft) => drafts.push(draft));
  const draft = drafts[0]!;
  const fixes = fixesOf(toolFailure, trace, draft, draft.agent ?? null);
  return {
    action: draft.suggestedAction,
    fixes: fixes.map(({ title, description, changes }) =>
      [title, description, ...changes.map(({ after }) => after)].join(' | '),
    ),
  };
}

interface NodeDraft {
  message: string;
  type?: string;
  kind?: StepKind;
  fallback?: ErrorFallback;
  settings?: FailureSettings;
  isDeclared?: boolean;
}

const GRAPH: Trace['graph'] = {
  nodes: [
    { name: 'Start', type: 'trigger', isEntry: true },
    { name: 'Total', type: 'n8n-nodes-base.code', isEntry: false },
  ],
  edges: [{ from: 'Start', to: 'Total' }],
};

/** A node of an n8n workflow that declares it, unless `isDeclared` is false. */
function node({ message, type = '', kind = 'other', fallback, settings, isDeclared = true }: NodeDraft): Trace {
  const draft = { ...emptyDraft(), framework: 'n8n' };
  draft.graph = isDeclared ? GRAPH : null;
  const parent = addStep(draft, { kind: 'chain', name: 'order flow' });
  const facts = {
    ...(fallback === undefined ? {} : { errorFallback: fallback }),
    ...(settings === undefined ? {} : { failureSettings: settings }),
  };
  addStep(draft, { kind, name: 'Total', node: 'Total', parent, error: { type, message }, facts });
  return finishTrace(draft);
}

/** A call of a model in a program. */
function modelCall(error: StepError): Trace {
  const draft = emptyDraft();
  addStep(draft, { kind: 'llm', name: 'chat', model: 'gpt-4o', agent: 'planner', error });
  return finishTrace(draft);
}

const RETRY = /retry|retries|maxTries/i;

describe('fixes follow the suggested action', () => {
  it.each<[string, Trace]>([
    ['an address of the machine itself', node({ message: 'connect ECONNREFUSED 127.0.0.1:9' })],
    ['a closed port', node({ message: 'connect ECONNREFUSED 10.4.0.9:5432' })],
    ['a workflow that its time limit ended', node({ message: 'The execution timed out after 7 seconds' })],
    ['a rejected credential', node({ message: '401 Unauthorized', type: '401' })],
    ['a field that is missing', node({ message: "Cannot read properties of undefined (reading 'price')" })],
  ])('no retry for %s', (_, trace) => {
    const { action, fixes } = adviceIn(trace);
    expect(action).not.toMatch(RETRY);
    for (const fix of fixes) expect(fix.replace('a retry reaches the same place', '')).not.toMatch(RETRY);
  });

  it('retries a service in the settings of the node, once', () => {
    const { action, fixes } = adviceIn(node({ message: '503 service unavailable' }));
    expect(action).toContain('Turn on Retry On Fail');
    expect(fixes.map((fix) => fix.split(' | ')[0])).toEqual(['Let n8n retry the node Total']);
  });

  describe('a node with a retry', () => {
    const settings: FailureSettings = { attempts: 3, waitMs: 200, onError: 'stop' };
    const limited = { message: 'Too many requests', type: '429' };

    it('is given a longer one', () => {
      const { action, fixes } = adviceIn(node({ ...limited, settings }));
      expect(action).toBe(
        'Raise Max. Tries to 5 and Wait Between Tries to 5000 ms in the settings of the node Total, or check the quota behind it. Retry On Fail is on: 3 tries, 200 ms apart.',
      );
      expect(fixes).toHaveLength(1);
      expect(fixes[0]).toContain('Set maxTries = 5, waitBetweenTries = 5000 in the settings of the node Total.');
      expect([action, ...fixes].join()).not.toMatch(/Turn on|No retry|retryOnFail/);
    });

    it('is given a longer one if only its settings are known', () => {
      const { action, fixes } = adviceIn(node({ ...limited, settings, isDeclared: false }));
      expect(action).toContain('Raise Max. Tries to 5 and Wait Between Tries to 5000 ms');
      expect(fixes[0]).toContain('Max. Tries: 5; Wait Between Tries (ms): 5000');
    });

    it('is called later if its retry is the longest', () => {
      const { action, fixes } = adviceIn(node({ ...limited, settings: { attempts: 5, waitMs: 5000 } }));
      expect(action).toContain('Call the node Total again later, from a loop with a Wait node, or check the quota');
      expect(action).toContain('Retry On Fail is on: 5 tries, 5000 ms apart.');
      expect(fixes[0]).toContain('Wait longer than the settings of the node Total allow');
    });

    it('is not retried once more after a timeout', () => {
      const { action, fixes } = adviceIn(node({ kind: 'tool', message: 'timed out after 2 minutes', settings }));
      expect(action).toBe(
        'Raise the time limit of Total above 2 minutes, or shorten what it waits for ("timed out after 2 minutes"). Retry On Fail is on: 3 tries, 200 ms apart.',
      );
      expect(fixes.join()).not.toContain('retry once');
    });

    it('gets no error output that it has', () => {
      const { fixes } = adviceIn(node({ message: 'amount is negative', settings: { onError: 'error_output' } }));
      expect(fixes.join()).not.toContain('error output');
    });
  });

  it('connects the error output of a node that dropped an item', () => {
    const { action, fixes } = adviceIn(node({ message: 'amount is negative', fallback: 'dropped_item' }));
    expect(action).toContain('Connect the error output of Total, or let Total stop the workflow');
    expect(fixes[0]).toContain('Connect the error output of Total');
    expect(fixes[1]).toContain('onError = "stopWorkflow"');
    expect(fixes.join()).not.toContain('continueErrorOutput');
  });

  it('separates the errors of a node that passed them on', () => {
    const { action, fixes } = adviceIn(node({ message: 'amount is negative', fallback: 'error_item' }));
    expect(action).toContain('Have the step after Total separate items with an error from results.');
    expect(fixes[0]).toContain('Separate the errors of Total from its results');
    expect(fixes[1]).toContain('continueErrorOutput');
  });

  it('gives no error output to a node whose failure took its own path', () => {
    const { fixes } = adviceIn(node({ message: 'amount is negative', fallback: 'fail_branch' }));
    expect(fixes.join()).not.toContain('error output');
  });

  it('corrects the call that the suggested action corrects', () => {
    const { action, fixes } = adviceIn(
      parseTrace(
        'agent clerk\ntool book {"paid":299} !! Payment amount does not add up, total price is 375\nllm m -> "Done."',
      ),
    );
    expect(action).toContain('Have clerk correct the arguments of book');
    expect(fixes[0]).toContain('Have clerk correct the arguments of book');
    expect(fixes.join()).not.toContain('Return a usable error');
  });

  it('tests a tool by hand that rejects different arguments with one error', () => {
    const calls = (queries: readonly string[], error: (at: number) => string) =>
      adviceIn(
        parseTrace(
          [
            'agent clerk',
            ...queries.map((query, at) => `tool find {"query":"${query}"} !! ${error(at)}`),
            'llm m -> "Done."',
          ].join('\n'),
        ),
      );
    const { action, fixes } = calls(['rye', 'oats', 'barley'], (at) => `400 the params are empty (request 7${at})`);
    const advice =
      'Send one request of find by hand: 3 calls with different arguments returned "400 the params are empty (request 70)"';
    expect(action).toContain(advice);
    expect(fixes[0]).toContain(advice);
    const others = ['the date is in the past', 'the town is unknown', 'the unit is closed'];
    for (const { action: other } of [
      calls(['rye', 'oats', 'rye'], () => '400 the params are empty'),
      calls(['rye', 'oats', 'barley'], (at) => `400 ${others[at]}`),
    ])
      expect(other).toContain('Have clerk correct the arguments of find');
  });

  it('marks the fields as required that the suggested action names', () => {
    const missing = (field: string) => `1 validation error for Booking\n${field}\n  Field required [type=missing]`;
    const draft = emptyDraft();
    for (const field of ['payment_id', 'amount'])
      addStep(draft, {
        kind: 'tool',
        name: 'book',
        agent: 'clerk',
        tool: { id: null, name: 'book', arguments: { seat: 1 }, result: null },
        error: { type: '', message: missing(field) },
      });
    const { action, fixes } = adviceIn(finishTrace(draft));
    expect(action).toContain('pass payment_id and amount to book, and mark them as required');
    expect(fixes[0]).toContain('{"op":"add","path":"/required","value":["payment_id","amount"]}');
  });

  it('says nothing about answers if none follows', () => {
    const { action, fixes } = adviceIn(
      parseTrace('agent clerk\nspan flow\n  tool forecast {"town":"Bern"} !! the archive is locked'),
    );
    expect([action, ...fixes].join()).not.toContain('report');
  });

  it('sets a time limit above the one that was reached', () => {
    const { action, fixes } = adviceIn(
      parseTrace('agent clerk\ntool search {"q":"x"} !! timed out after 2 minutes\nllm m -> "Nothing found."'),
    );
    expect(action).toContain('above 2 minutes');
    expect(fixes[0]).toContain('timeout 240 s');
  });

  it('records the error of a span without a message', () => {
    const { action, fixes } = adviceIn(node({ message: '' }));
    expect(action).toContain('Record the error of Total');
    expect(fixes[0]).toContain('Record the error of Total');
  });
});

describe('a rejected single call', () => {
  const { action, fixes } = adviceIn(modelCall({ type: '429', message: 'Too many requests' }));

  it('is retried with growing pauses, or its quota is checked', () => {
    expect(action).toBe(
      'Retry in the client that calls gpt-4o with growing pauses, at most 3 times, or check the quota behind it. No retry of gpt-4o is recorded.',
    );
    expect(fixes[0]).toContain('retry at most 3 times with exponential backoff');
    expect(fixes[0]).toContain('check the quota behind it');
  });

  it('shows no concurrent calls', () => expect(fixes.join()).not.toContain('concurrent'));
});

describe('a model call with retries', () => {
  it('is given more of them if its settings are recorded', () => {
    const draft = { ...emptyDraft(), framework: 'vercel-ai' };
    const error = { type: '429', message: 'Too many requests' };
    const facts = { failureSettings: { attempts: 3 } };
    addStep(draft, { kind: 'llm', name: 'chat', model: 'gpt-4o', agent: 'planner', error, facts });
    const { action, fixes } = adviceIn(finishTrace(draft));
    expect(action).toBe(
      'Allow more than 3 attempts, with longer pauses, in the client that calls gpt-4o, or check the quota behind it. Its settings allow 3 attempts.',
    );
    expect(fixes[0]).toContain('maxRetries: 5');
  });

  it('waits longer between them if the attempts are recorded', () => {
    const draft = emptyDraft();
    const error = { type: '429', message: 'Too many requests' };
    for (let nth = 0; nth < 3; nth += 1)
      addStep(draft, { kind: 'llm', name: 'chat', model: 'gpt-4o', agent: 'planner', input: 'Weather?', error });
    const failed = adviceIn(finishTrace(draft));
    expect(failed.action).toBe(
      'Wait longer between the attempts in the client that calls gpt-4o, or raise the quota behind it. The trace contains 3 attempts with the same input.',
    );
    expect(failed.fixes[0]).toContain('Wait longer between the attempts of gpt-4o');
  });
});

describe('a failed model call', () => {
  it('has no code inside a tool: the stack is to be recorded', () => {
    const { action, fixes } = adviceIn(modelCall({ type: 'TypeError', message: 'boom' }));
    expect(action).toContain('Record the stack of this error on the span of step 0');
    expect(fixes[0]).toContain('Record the stack of the error of gpt-4o');
    expect(fixes.join()).not.toContain('Correct the code');
  });

  it('is corrected where its recorded stack says', () => {
    const { action, fixes } = adviceIn(modelCall({ type: 'TypeError', message: 'boom', isStackRecorded: true }));
    expect(action).toContain('The stack of "boom" is in the exception event of span');
    expect(fixes[0]).toContain('Correct the program around the call to gpt-4o');
  });

  it('has a title of its own', () => {
    const drafts: DetectionDraft<string>[] = [];
    const trace = modelCall({ type: 'TypeError', message: 'boom' });
    toolFailure.detect(trace, { thresholds: DEFAULT_THRESHOLDS, models: NO_MODELS }, (draft) => drafts.push(draft));
    expect(drafts[0]!.title).toBe('Error in the client of a model call');
  });
});

it('an inserted clause about the last step ends with a comma', () => {
  const draft = { ...emptyDraft(), framework: 'n8n' };
  const error = { type: '', message: 'The execution timed out after 7 seconds' };
  addStep(draft, { kind: 'chain', name: 'order flow', error });
  addStep(draft, { kind: 'other', name: 'Ask the bank', node: 'Ask the bank', parent: 0 });
  expect(adviceIn(finishTrace(draft)).fixes[0]).toContain(
    'Ask the bank (step 1), the last step that had started, had not finished when',
  );
});
