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
const handIn: StepDraft = { kind: 'tool', name: 'final_answer' };
const looked = [frame(), code('lookup_word("otter")'), tool('lookup_word', 'a mammal')];
const answered = [frame('a mammal'), code('final_answer("a mammal")'), { ...handIn, output: 'a mammal' }];

interface Row {
  name: string;
  trace: Trace;
  /** Rules with their categories, as `rule: category @ step`; empty if all stay silent. */
  finds: string[];
}

const ROWS: Row[] = [
  { name: 'a run that looks up and answers', trace: runOf([looked, answered]), finds: [] },
  {
    name: 'an answer at once although a tool was promised',
    trace: runOf([answered]),
    finds: [
      'answer-without-tools: Goal Deviation @ 2',
      'answer-at-once: Tool Selection Errors @ 2',
      'answer-at-once: Task Orchestration @ 2',
      'asserts-unseen: Language-only @ 2',
    ],
  },
  {
    name: 'an answer at once where no tool was promised',
    trace: runOf([[frame('8'), code('print(3 + 5)')]], (draft) => {
      draft.toolDefinitions = [];
    }),
    finds: [],
  },
  {
    name: 'a tool only printed about',
    trace: runOf([[frame('please ask'), code('print("ask lookup_word(otter)")')], looked, answered]),
    finds: [],
  },
  {
    name: 'a tool printed about again and again',
    trace: runOf([looked, [frame('please ask'), code('print("ask lookup_word(otter)")')], answered]),
    finds: ['asks-nobody: Task Orchestration @ 5'],
  },
  {
    name: 'arguments the tool does not take',
    trace: runOf([
      [
        frame('', 'TypeError: forward() got an unexpected keyword argument'),
        code('lookup_word(x=1)'),
        { ...tool('lookup_word', ''), error: { type: 'TypeError', message: 'unexpected keyword argument' } },
      ],
      looked,
      answered,
    ]),
    finds: ['bad-arguments: Formatting Errors @ 2'],
  },
  {
    name: 'the turn that goes on after another failure',
    trace: runOf([[frame('', 'NameError: name x is not defined'), code('print(x)')], looked, answered]),
    finds: ['after-failure: Formatting Errors @ 4', 'abandons-way: Incorrect Problem Identification @ 4'],
  },
  {
    name: 'a text read one character at a time',
    trace: runOf([looked, [frame('tree:\nS\nr\nc\n/\nm\na\ni\nn\n.\np\ny'), code('print(tree)')], looked, answered]),
    finds: ['unread-structure: Formatting Errors @ 7'],
  },
  {
    name: 'an answer tool that gives nothing back at the very end',
    trace: runOf([looked, [frame(), code('final_answer("a mammal")'), { ...handIn, output: '' }]]),
    finds: ['answer-tool-silent: Context Handling Failures @ 6'],
  },
  {
    name: 'a refused and a broken page',
    trace: runOf([
      [frame(), code('lookup_word("a")'), tool('lookup_word', 'Title: Error 403')],
      [frame(), code('lookup_word("b")'), tool('lookup_word', 'Connection aborted by the other end')],
      answered,
    ]),
    finds: ['tool-reports-trouble: Authentication Errors @ 3', 'tool-reports-trouble: Service Errors @ 6'],
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
      'answer-at-once: Tool Selection Errors @ 3',
      'answer-at-once: Task Orchestration @ 3',
      'asserts-unseen: Language-only @ 3',
      'end-mark-missing: Instruction Non-compliance @ 1',
    ],
  },
  {
    name: 'more printed than the prompt allows',
    trace: runOf([
      looked,
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

  test('a row that expects silence of a bad run fails', () => {
    expect(() => expect(readable(runOf([answered]))).toEqual([])).toThrow();
  });

  test('a run with many faults gets no more detections than the budget', () => {
    const failing = [frame('', 'TypeError: unexpected keyword argument'), code('lookup_word(x=1)')];
    const trace = runOf(Array.from({ length: 20 }, () => failing));
    expect(ruleDetections(readTrailRun(trace))).toHaveLength(RULE_BUDGET);
  });
});

describe('trailDetections', () => {
  test('a foreign framework gets the rules alone', () => {
    const trace = runOf([answered], (draft) => {
      draft.steps[0]!.name = 'assistant';
    });
    expect(isSmolagentsRun(trace)).toBe(false);
    expect(trailDetections(trace)).toEqual(
      ruleDetections(readTrailRun(trace)).map(({ spanId, category }) => ({ spanId, category })),
    );
  });

  test('a run of the known framework is judged by the head, each pair once and the same twice', () => {
    const trace = runOf([looked, answered]);
    expect(isSmolagentsRun(trace)).toBe(true);
    const found = trailDetections(trace);
    expect(new Set(found.map(({ spanId, category }) => `${spanId} ${category}`)).size).toBe(found.length);
    expect(trailDetections(trace)).toEqual(found);
  });

  test('an empty trace has no detections', () => {
    expect(trailDetections(finishTrace(emptyDraft()))).toEqual([]);
  });

  test('a flat run of 100,000 steps is judged; work for each pair of steps would take minutes', () => {
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
