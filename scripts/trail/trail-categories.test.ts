import { describe, expect, test } from 'vitest';
import type { Trace } from '../../src/core/trace.ts';
import {
  addStep,
  emptyDraft,
  finishTrace,
  type StepDraft,
  type TraceDraft,
} from '../../src/detectors/_testing/trace-draft.ts';
import { trailDetections } from './trail-categories.ts';
import { isSmolagentsRun } from './trail-fingerprint.ts';
import { RULE_BUDGET, ruleDetections } from './trail-rules.ts';
import { readTrailRun } from './trail-run.ts';

const TOOLS = [{ name: 'lookup_word', description: 'finds a word', parameters: null }];

/** A run of one agent; each entry is a step below it, or a list below a `Step n` of its own. */
function runOf(steps: (StepDraft | StepDraft[])[], change: (draft: TraceDraft) => void = () => {}): Trace {
  const draft = emptyDraft();
  draft.toolDefinitions = TOOLS;
  addStep(draft, { kind: 'agent', name: 'CodeAgent.run', output: 'done' });
  let count = 0;
  for (const step of steps) {
    if (!Array.isArray(step)) addStep(draft, { ...step, parent: 0 });
    else {
      count += 1;
      const [frame, ...inner] = step;
      const parent = addStep(draft, { ...frame!, name: `Step ${count}`, parent: 0 });
      for (const one of inner) addStep(draft, { ...one, parent });
    }
  }
  change(draft);
  return finishTrace(draft);
}

const model = (output: string, prompt = 'Solve it.'): StepDraft => ({
  kind: 'llm',
  name: 'LiteLLMModel.__call__',
  output,
  inputMessages: [{ role: 'user', name: null, content: prompt, toolCalls: [], toolCallId: null }],
});
const code = (text: string) => model(`Thought: next.\nCode:\n\`\`\`py\n${text}\n\`\`\``);
const frame = (output = '', message = ''): StepDraft => ({
  kind: 'chain',
  output,
  error: message === '' ? null : { type: 'AgentExecutionError', message },
});
const tool = (name: string, output: string): StepDraft => ({
  kind: 'tool',
  tool: { id: null, name, arguments: {}, result: output },
  output,
});
const submission: StepDraft = { kind: 'tool', name: 'final_answer' };
const lookupTurn = [frame(), code('lookup_word("otter")'), tool('lookup_word', 'a mammal')];
const answered = [frame('a mammal'), code('final_answer("a mammal")'), { ...submission, output: 'a mammal' }];

interface Row {
  name: string;
  trace: Trace;
  /** Rules with their categories, as `rule: category @ step`; empty if all stay silent. */
  finds: string[];
}

const ROWS: Row[] = [
  { name: 'a run with a lookup and an answer', trace: runOf([lookupTurn, answered]), finds: [] },
  {
    name: 'an immediate answer although a tool is available',
    trace: runOf([answered]),
    finds: [
      'answer-without-tools: Goal Deviation @ 2',
      'immediate-answer: Tool Selection Errors @ 2',
      'immediate-answer: Task Orchestration @ 2',
      'unsupported-claim: Language-only @ 2',
    ],
  },
  {
    name: 'an immediate answer without an available tool',
    trace: runOf([[frame('8'), code('print(3 + 5)')]], (draft) => {
      draft.toolDefinitions = [];
    }),
    finds: [],
  },
  {
    name: 'a tool that is only mentioned in a print',
    trace: runOf([[frame('please ask'), code('print("ask lookup_word(otter)")')], lookupTurn, answered]),
    finds: [],
  },
  {
    name: 'a tool that is repeatedly mentioned in prints',
    trace: runOf([lookupTurn, [frame('please ask'), code('print("ask lookup_word(otter)")')], answered]),
    finds: ['unused-helper: Task Orchestration @ 5'],
  },
  {
    name: 'arguments that the tool does not accept',
    trace: runOf([
      [
        frame('', 'TypeError: forward() got an unexpected keyword argument'),
        code('lookup_word(x=1)'),
        { ...tool('lookup_word', ''), error: { type: 'TypeError', message: 'unexpected keyword argument' } },
      ],
      lookupTurn,
      answered,
    ]),
    finds: ['bad-arguments: Formatting Errors @ 2'],
  },
  {
    name: 'the turn after another failure',
    trace: runOf([[frame('', 'NameError: name x is not defined'), code('print(x)')], lookupTurn, answered]),
    finds: ['after-failure: Formatting Errors @ 4', 'abandons-failed-tool: Incorrect Problem Identification @ 4'],
  },
  {
    name: 'a text read one character at a time',
    trace: runOf([
      lookupTurn,
      [frame('tree:\nS\nr\nc\n/\nm\na\ni\nn\n.\np\ny'), code('print(tree)')],
      lookupTurn,
      answered,
    ]),
    finds: ['unread-structure: Formatting Errors @ 7'],
  },
  {
    name: 'an answer tool without a result at the end',
    trace: runOf([lookupTurn, [frame(), code('final_answer("a mammal")'), { ...submission, output: '' }]]),
    finds: ['empty-answer-tool: Context Handling Failures @ 6'],
  },
  {
    name: 'a refused and a broken page',
    trace: runOf([
      [frame(), code('lookup_word("a")'), tool('lookup_word', 'Title: Error 403')],
      [frame(), code('lookup_word("b")'), tool('lookup_word', 'Connection aborted by the other end')],
      answered,
    ]),
    finds: ['tool-reports-error: Authentication Errors @ 3', 'tool-reports-error: Service Errors @ 6'],
  },
  {
    name: 'a page that is about refused pages',
    trace: runOf([
      [frame(), code('lookup_word("a")'), tool('lookup_word', `HTTP error 403 explained. ${'More. '.repeat(200)}`)],
      answered,
    ]),
    finds: [],
  },
  {
    name: 'a plan without its closing mark in a run that uses no tool',
    trace: runOf([model('1. Think.\n', "Make a plan for the task. When done, write the '<end_plan>' tag."), answered]),
    finds: [
      'answer-without-tools: Goal Deviation @ 3',
      'immediate-answer: Tool Selection Errors @ 3',
      'immediate-answer: Task Orchestration @ 3',
      'unsupported-claim: Language-only @ 3',
      'end-mark-missing: Instruction Non-compliance @ 1',
    ],
  },
  {
    name: 'more printed than the prompt allows',
    trace: runOf([
      lookupTurn,
      [frame('x'.repeat(1200)), model('```py\nprint(text)\n```', 'Print at most 500 characters at once.')],
      answered,
    ]),
    finds: ['prints-too-much: Instruction Non-compliance @ 5'],
  },
];

describe('rules', () => {
  test.each(ROWS)('$name', ({ trace, finds }) => {
    expect(readable(trace)).toEqual(finds);
  });

  test('a row that expects no detection on a bad run fails', () => {
    expect(() => expect(readable(runOf([answered]))).toEqual([])).toThrow();
  });

  test('a run with many faults gets no more detections than the budget', () => {
    const failing = [frame('', 'TypeError: unexpected keyword argument'), code('lookup_word(x=1)')];
    const trace = runOf(Array.from({ length: 20 }, () => failing));
    expect(ruleDetections(readTrailRun(trace))).toHaveLength(RULE_BUDGET);
  });
});

describe('trailDetections', () => {
  test('an unknown framework is analyzed by rules alone', () => {
    const trace = runOf([answered], (draft) => {
      draft.steps[0]!.name = 'assistant';
    });
    expect(isSmolagentsRun(trace)).toBe(false);
    expect(trailDetections(trace)).toEqual(
      ruleDetections(readTrailRun(trace)).map(({ spanId, category }) => ({ spanId, category })),
    );
  });

  test('a run of the known framework is analyzed by the head, deterministically and without repeated pairs', () => {
    const trace = runOf([lookupTurn, answered]);
    expect(isSmolagentsRun(trace)).toBe(true);
    const found = trailDetections(trace);
    expect(new Set(found.map(({ spanId, category }) => `${spanId} ${category}`)).size).toBe(found.length);
    expect(trailDetections(trace)).toEqual(found);
  });

  test('an empty trace has no detections', () => {
    expect(trailDetections(finishTrace(emptyDraft()))).toEqual([]);
  });

  test('a flat run of 100,000 steps is analyzed; work for each pair of steps would take minutes', () => {
    const draft = emptyDraft();
    for (let round = 0; round < 50_000; round += 1) {
      addStep(draft, model(`look ${round}`));
      addStep(draft, tool('lookup_word', `result ${round}`));
    }
    expect(trailDetections(finishTrace(draft))).toEqual([]);
  });
});

function readable(trace: Trace): string[] {
  const index = new Map(trace.steps.map((step) => [step.spanId, step.index]));
  return ruleDetections(readTrailRun(trace)).map(
    ({ rule, category, spanId }) => `${rule}: ${category} @ ${index.get(spanId)}`,
  );
}
