import { expect, it } from 'vitest';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { type DetectorRow, rowProblems, testDetector } from '../_testing/tester.ts';
import { addStep, emptyDraft, finishTrace, type StepDraft } from '../_testing/trace-draft.ts';
import { contextOverflow } from './detector.ts';

const WINDOWS: Record<string, number> = { small: 10_000, 'gpt-4o': 128_000 };

const models: ModelCatalog = {
  find: (model) =>
    WINDOWS[model] === undefined
      ? null
      : {
          id: model,
          provider: 'test',
          contextWindow: WINDOWS[model],
          inputPerMillionUsd: null,
          outputPerMillionUsd: null,
        },
  costUsd: () => null,
};

function run(...steps: StepDraft[]): Trace {
  const draft = emptyDraft();
  for (const step of steps) addStep(draft, step);
  return finishTrace(draft);
}

const isRunning = (trace: Trace): Trace => ({ ...trace, isSettled: false });

const call = (inputTokens: number, more: Partial<StepDraft> = {}): StepDraft => ({
  kind: 'llm',
  model: 'small',
  agent: 'writer',
  inputTokens,
  outputTokens: 100,
  output: 'Here is the text.',
  ...more,
});
/** Calls of several agents, each given the answer of the one before. */
const passedOn = (...tokens: number[]): StepDraft[] =>
  tokens.map((count, at) =>
    call(count, {
      agent: `agent${at}`,
      input: at === 0 ? 'Write about the tides.' : `Go on from: This is part ${at - 1} of the text.`,
      output: `This is part ${at} of the text.`,
    }),
  );
const refusal = (message: string, type = '400'): StepDraft => call(0, { output: '', error: { type, message } });

const refusals: [string, string, string?][] = [
  ['OpenAI', "This model's maximum context length is 128000 tokens. However, your messages resulted in 131022 tokens."],
  ['OpenAI code', "Error code: 400 - {'error': {'code': 'context_length_exceeded'}}"],
  ['Anthropic', 'prompt is too long: 208310 tokens > 200000 maximum'],
  ['Anthropic with answer', 'input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000'],
  ['Google', 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
  ['Bedrock', 'Input is too long for requested model.'],
  ['llama.cpp', 'the request exceeds the available context size, try increasing it', 'exceed_context_size_error'],
  ['LiteLLM', 'the messages did not fit', 'ContextWindowExceededError'],
];

const otherErrors: [string, string][] = [
  ['a rate limit on tokens', 'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40500.'],
  [
    'an output limit set too high',
    'max_tokens is too large: 8192. This model supports at most 4096 completion tokens.',
  ],
  ['a timeout', 'Request timed out.'],
];

const rows: DetectorRow[] = [
  ...refusals.map(
    ([provider, message, type]): DetectorRow => ({
      name: `${provider} refuses a prompt that is too long`,
      trace: run(call(500), refusal(message, type)),
      fires: [{ subtype: 'exceeded', step: 1, agent: 'writer', severity: 'critical' }],
    }),
  ),
  ...otherErrors.map(
    ([name, message]): DetectorRow => ({
      name: `${name} is not an overflow`,
      trace: run(refusal(message)),
      silent: true,
    }),
  ),
  {
    name: 'three refusals are one detection',
    trace: run(...[1, 2, 3].map(() => refusal('prompt is too long: 208310 tokens > 200000 maximum'))),
    fires: [{ subtype: 'exceeded', step: 0, text: 'happened 3 times' }],
  },
  {
    name: 'parents that repeat the error do not count',
    trace: `
agent writer
span graph !! 400: prompt is too long: 208310 tokens > 200000 maximum
  span node !! 400: prompt is too long: 208310 tokens > 200000 maximum
    llm gpt-4o !! 400: prompt is too long: 208310 tokens > 200000 maximum
`,
    fires: [{ subtype: 'exceeded', step: 2, text: '208,310 tokens, limit 200,000 tokens' }],
  },
  {
    name: 'a finish reason for a full window',
    trace: run(call(9800, { finishReasons: ['model_context_window_exceeded'] })),
    fires: [{ subtype: 'exceeded', step: 0 }],
  },
  {
    name: 'a length stop in a full window is caused by the window',
    trace: run(call(9850, { outputTokens: 150, finishReasons: ['length'], output: 'and then the' })),
    fires: [{ subtype: 'exceeded', step: 0, text: 'filled the context window' }],
  },
  {
    name: 'near the limit at the end of a run that went well',
    trace: run(call(2000), call(7600)),
    fires: [{ subtype: 'near_limit', step: 1, severity: 'info', text: '77 %' }],
  },
  {
    name: 'near the limit while the conversation continues',
    trace: isRunning(run(call(2000), call(7600))),
    fires: [{ subtype: 'near_limit', step: 1, severity: 'warning', text: '77 %' }],
  },
  {
    name: 'at the limit while the conversation continues',
    trace: isRunning(run(call(2000), call(9200))),
    fires: [{ subtype: 'at_limit', step: 1, severity: 'critical', text: '93 %' }],
  },
  {
    name: 'at the limit in a conversation that continued, and the run ended well',
    trace: run(call(2000), call(9000), call(9150)),
    fires: [{ subtype: 'at_limit', step: 1, severity: 'warning', text: 'up to 92 %' }],
  },
  {
    name: 'at the limit in a run that failed',
    trace: { ...run(call(2000), call(9200), call(0, { error: { type: 'E', message: 'stopped' } })), status: 'error' },
    fires: [{ subtype: 'at_limit', step: 1, severity: 'critical' }],
  },
  {
    name: 'a book that is summarized in one call gives info',
    trace: run(call(9290)),
    fires: [
      {
        subtype: 'at_limit',
        step: 0,
        severity: 'info',
        text: '9,390 of the 10,000 tokens of its context window (93 %)',
      },
    ],
  },
  {
    name: 'four books, one call each, none of which builds on another, give info',
    trace: run(
      ...[7200, 9290, 8800, 9000].map((tokens, at) =>
        call(tokens, {
          input: `Summarise book ${at}: ${'abcd'[at]!.repeat(400)}`,
          output: `Book ${at} is about ferries.`,
        }),
      ),
    ),
    fires: [{ subtype: 'at_limit', step: 1, severity: 'info' }],
  },
  {
    name: 'the fullest call is in the evidence, however many came before it',
    trace: run(...Array.from({ length: 8 }, (_, at) => call(7100 + 100 * at))),
    fires: [{ subtype: 'near_limit', step: 0, severity: 'info', text: 'at step 7' }],
  },
  { name: 'below the limit', trace: run(call(2000), call(6000)), silent: true },
  {
    name: 'a threshold of the tenant',
    trace: run(call(6000)),
    thresholds: { contextWarningRatio: 0.5 },
    fires: [{ subtype: 'near_limit', step: 0 }],
  },
  { name: 'an unknown model', trace: run(call(9900, { model: 'house-model' })), silent: true },
  {
    name: 'an almost full window is not 100 %',
    trace: run(call(127_420, { model: 'gpt-4o' })),
    fires: [
      { subtype: 'at_limit', step: 0, text: '127,520 of the 128,000 tokens of its context window (99 %) at step 0.' },
    ],
  },
  {
    name: 'more tokens than the window, but the call was answered',
    trace: run(call(14_000)),
    fires: [{ subtype: 'at_limit', step: 0, severity: 'warning', text: '14,100 tokens, more than the context window' }],
  },
  {
    name: 'many answered calls above the window: the catalog may be wrong',
    trace: run(call(12_000), call(13_000), call(14_000)),
    fires: [{ subtype: 'at_limit', step: 2, severity: 'info', text: '3 calls did so' }],
  },
  {
    name: 'several windows in one count: likely a sum',
    trace: run(call(45_000)),
    fires: [{ subtype: 'at_limit', step: 0, severity: 'info' }],
  },
  {
    name: 'a prompt that grows from agent to agent, each with the text of the one before',
    trace: run(...passedOn(2000, 3200, 4400, 5600, 6800)),
    fires: [
      { subtype: 'growth', step: 4, severity: 'info', text: 'agent0, agent1, agent2, agent3, agent4, one after' },
    ],
  },
  {
    name: 'a prompt that grows from node to node of a graph whose prompts were not recorded',
    trace: run(
      ...[2000, 3200, 4400, 5600, 6800].map((tokens, at) => call(tokens, { agent: `node${at}`, node: `node${at}` })),
    ),
    fires: [{ subtype: 'growth', step: 4, severity: 'info' }],
  },
  {
    name: 'books of growing length, summarized by an agent each',
    trace: run(
      ...[2000, 3200, 4400, 5600, 6800].map((tokens, at) =>
        call(tokens, {
          agent: `book${at}`,
          input: `Summarise: ${'abcde'[at]!.repeat(400)}`,
          output: `Book ${at} is about tides.`,
        }),
      ),
    ),
    silent: true,
  },
  {
    name: 'nodes whose prompts do not build on each other',
    trace: run(
      call(2000, { agent: 'planner' }),
      call(6200, { agent: 'researcher' }),
      call(1400, { agent: 'writer' }),
      call(6800, { agent: 'editor' }),
    ),
    silent: true,
  },
  {
    name: 'tokens that were not reported are estimated from the text',
    trace: run(call(0, { inputTokens: undefined, outputTokens: undefined, input: 'word '.repeat(7500) })),
    fires: [{ subtype: 'at_limit', step: 0, severity: 'info', text: 'estimated' }],
  },
  {
    name: 'a prompt that would be full in a few calls',
    trace: run(call(2000), call(3200), call(4400), call(5600), call(6800)),
    fires: [{ subtype: 'growth', step: 4, severity: 'info', text: '3 more calls' }],
  },
  {
    name: 'growth far from the limit',
    trace: run(call(200), call(400), call(600), call(800), call(1000)),
    silent: true,
  },
  {
    name: 'growth that was trimmed',
    trace: run(call(3200), call(4400), call(5600), call(6800), call(1200)),
    silent: true,
  },
  { name: 'slow growth', trace: run(call(5000), call(5010), call(5020), call(5030), call(5040)), silent: true },
  {
    name: 'an answer truncated in the middle of a sentence',
    trace: run(call(500, { finishReasons: ['length'], output: 'First we open the valve and then' })),
    fires: [{ subtype: 'truncated', step: 0, severity: 'warning', wastedTokens: 100 }],
  },
  {
    name: 'an answer that the Responses API reports as incomplete',
    trace: 'agent reader\nllm gpt-4o 100/40 finish incomplete !! Error: the response ended as incomplete',
    fires: [
      {
        subtype: 'truncated',
        step: 0,
        text: 'ended before it was complete, at its output limit or by a content filter (status incomplete), and its text is not recorded',
      },
    ],
  },
  {
    name: 'a tool call truncated in the middle of an argument',
    trace: run(
      call(500, {
        finishReasons: ['max_tokens'],
        outputMessages: [
          {
            role: 'assistant',
            name: null,
            content: '',
            toolCallId: null,
            toolCalls: [{ id: null, name: 'save', arguments: '{"text": "First', result: null }],
          },
        ],
      }),
    ),
    fires: [{ subtype: 'truncated', step: 0, text: 'tool call' }],
  },
  {
    name: 'a limit of one token is intended',
    trace: run(call(500, { finishReasons: ['length'], output: 'yes', outputTokens: 1 })),
    silent: true,
  },
  {
    name: 'a loop that continues after the truncation',
    trace: run(
      call(500, { finishReasons: ['length'], output: 'First we open the' }),
      call(600, { input: 'Please continue where you stopped' }),
    ),
    silent: true,
  },
  {
    name: 'compacted: files of the same name are shown with their folders',
    trace: `agent dev
tool Read {"file_path":"/srv/shop/cart/index.ts"} -> "1"
tool Read {"file_path":"/srv/shop/pay/index.ts"} -> "2"
tool Read {"file_path":"/srv/shop/main.ts"} -> "3"
compaction {"trigger":"auto","tokensBefore":150000}
tool Read {"file_path":"/srv/shop/cart/index.ts"} -> "1"
tool Read {"file_path":"/srv/shop/pay/index.ts"} -> "2"
tool Read {"file_path":"/srv/shop/main.ts"} -> "3"`,
    fires: [
      {
        subtype: 'compacted',
        severity: 'info',
        text: 'first at step 3 at 150,000 tokens, triggered automatically. Afterwards, 3 files were read again: cart/index.ts, pay/index.ts, main.ts.',
      },
    ],
  },
  { name: 'an ordinary stop', trace: run(call(500, { finishReasons: ['stop'] })), silent: true },
  {
    name: 'a tool that reports its own limit',
    trace: 'tool read {"path":"a"} !! File content exceeds maximum allowed tokens (25000)',
    silent: true,
  },
];

testDetector(contextOverflow, rows, { models, readme: new URL('./README.md', import.meta.url) });

it('a row with too many expectations fails', () => {
  const planted: DetectorRow = { name: 'planted', trace: run(call(2000)), fires: [{ subtype: 'near_limit' }] };
  expect(rowProblems(contextOverflow, planted, models)).not.toEqual([]);
});

it.each([
  ['claude-code', '(/compact)', '(/clear)'],
  ['codex', '(/compact)', '(/new)'],
  ['aider', 'Compact the conversation when', 'start a new session'],
])('a session of %s is fixed by what its user can do', (framework, compact, clear) => {
  const codingSession = { title: null, project: null, branch: null, endedBy: 'completed', parentId: null } as const;
  const trace: Trace = { ...run(call(7200), call(7800)), framework, codingSession };
  const drafts: DetectionDraft<string>[] = [];
  contextOverflow.detect(trace, { models, thresholds: DEFAULT_THRESHOLDS }, (draft) => drafts.push(draft));
  const [found] = drafts;
  expect(found?.explanation).toMatch(/used 7,300 .* \(73 %\) at step 0, and up to 79 % at step 1\./);
  expect(found?.fixes.map(({ description }) => description)).toEqual([expect.stringContaining(compact)]);
  expect(found?.fixes[0]?.description).toContain(clear);
});
