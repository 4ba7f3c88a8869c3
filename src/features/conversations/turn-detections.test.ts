import { describe, expect, test } from 'vitest';
import type { ConversationFormat } from '../../core/conversation.ts';
import type { Json } from '../../core/json.ts';
import { DEFAULT_THRESHOLDS } from '../../core/thresholds.ts';
import { runDetectors } from '../../detectors/_runner/run.ts';
import { decodeConversation } from '../../formats/conversation/decode-conversation.ts';
import { readTurns } from '../../formats/conversation/read-turns.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import { buildTrace } from '../../formats/trace-model/build-trace.ts';

const models = createModelCatalog();
const NOW = Date.UTC(2026, 0, 15);

/** Warnings and worse as `type/subtype @turn participant`. */
function warningsIn(format: ConversationFormat, data: Json): string[] {
  const { spans, rejections } = decodeConversation(format, data, NOW);
  expect(rejections).toEqual([]);
  const trace = buildTrace(spans, { models, isSettled: true });
  const turns = readTurns(trace, spans);
  const { detections, crashed } = runDetectors(trace, {
    thresholds: DEFAULT_THRESHOLDS,
    models,
    overrides: {},
    // Switched on: these are in preview by default.
    enabled: { withholding: true, derailment: true, context_neglect: true },
  });
  expect(crashed).toEqual([]);
  const result = detections.filter(({ severity }) => severity === 'critical' || severity === 'warning');
  return result.map(({ type, subtype, step }) => {
    const turn = turns.find((candidate) => candidate.turn === step);
    return `${type}/${subtype} @${step} ${turn?.participant}`;
  });
}

const call = (id: string, name: string, given: Json): Json => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(given) },
});

function bookingDesk(question: string): Json {
  return {
    model: 'gpt-4o',
    messages: [
      { role: 'user', content: 'Please refund my trip. I am Ann.' },
      { role: 'assistant', name: 'lookup', content: null, tool_calls: [call('c1', 'get_trip', { name: 'Ann' })] },
      { role: 'tool', tool_call_id: 'c1', content: '{"booking_code":"QX-7781"}' },
      { role: 'assistant', name: 'lookup', content: 'Found the trip.' },
      { role: 'assistant', name: 'refunds', content: question },
    ],
  };
}

function searches(queries: readonly string[]): Json {
  return {
    model: 'claude-sonnet-4-5',
    system: 'You find flats.',
    messages: [
      { role: 'user', content: 'Find a flat with two rooms near the park.' },
      ...queries.flatMap((query, at): Json[] => [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: `toolu_${at}`, name: 'search_flats', input: { query } }],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: `toolu_${at}`,
              content: [{ type: 'text', text: `{"flats":[],"query":"${query}"}` }],
            },
          ],
        },
      ]),
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'There is no flat with two rooms near the park at the moment.' }],
      },
    ],
  };
}

function museum(answer: string): Json {
  return {
    turns: [
      {
        role: 'user',
        name: 'Ida',
        content: 'List the opening hours of the harbour museum for the winter season.',
        timestamp: '2026-01-01T10:00:00Z',
      },
      { role: 'guide', content: answer, timestamp: '2026-01-01T10:00:09Z' },
    ],
  };
}

const PLAN =
  'Thought: The subdomain is lost where routes are registered, so I ask the navigator to open the blueprint module and to read how rules are added to the map. Then an editor can print one more column, and an executor runs the tests.';

function hyperAgent(...message: string[]): Json {
  const line = (text: string) => `HyperAgent_pallets__flask-1 - INFO - ${text}`;
  return {
    mas_name: 'HyperAgent',
    llm_name: 'claude-3-7-sonnet',
    benchmark_name: 'SWE-Bench-Lite',
    trace_id: 1,
    trace: { key: 'flask-1', index: 1, trajectory: message.map(line).join('\n') },
  };
}

const WORK = [
  `Planner's Response: ${PLAN}`,
  "Inner-Navigator-Assistant's Response: Thought: I open blueprints.py and look for add_url_rule.",
  'Navigator->Planner: add_url_rule passes the subdomain on in line 88.',
  "Inner-Editor-Assistant's Response: Thought: I add a column for the subdomain to the printed table.",
  'Editor->Planner: The table has the column now.',
  "Inner-Executor-Assistant's Response: Thought: I run the command line tests of the project.",
];

test.each<[string, ConversationFormat, Json, string]>([
  [
    'a tool result of one agent is requested by another',
    'chat-completions-a',
    bookingDesk('Could you provide the booking code?'),
    'withholding/known_fact_asked_for @2 get_trip',
  ],
  ['the same search again and again', 'chat-completions-b', searches(Array(5).fill('2 rooms park')), 'loop/'],
  [
    'an answer about something else',
    'generic',
    museum(
      'Whisk eggs with sugar, melt butter slowly, fold chocolate gently, bake twenty minutes, leave overnight, serve chilled, dusted lightly with cinnamon and the zest of a lemon.',
    ),
    'derailment/unrelated_answer @1 guide',
  ],
  [
    'a run that starts again',
    'taxonomy-data',
    hyperAgent(...WORK, `Planner's Response: ${PLAN.replace('so I ask', 'and I will ask')}`, WORK[1]!),
    'context_neglect/restart @6 Planner',
  ],
])('%s (%s)', (_name, format, data, expected) => {
  expect(
    warningsIn(format, data)
      .filter((value) => value.startsWith(expected.split('@')[0]!.trim()))
      .join(),
  ).toContain(expected);
});

describe('stays silent on', () => {
  test.each<[string, ConversationFormat, Json]>([
    ['a question for an unknown value', 'chat-completions-a', bookingDesk('Could you provide your bank account?')],
    ['different searches', 'chat-completions-b', searches(['2 rooms park', 'flat at the meadow'])],
    [
      'an answer to the question',
      'generic',
      museum(
        'Between November and March visitors are welcome every Saturday and Sunday, ten until four; during holidays the museum also opens on weekdays.',
      ),
    ],
    [
      'a run that goes on',
      'taxonomy-data',
      hyperAgent(
        ...WORK,
        "Planner's Response: Thought: All tests pass, and the table names the subdomain of each route.",
      ),
    ],
  ])('%s (%s)', (_name, format, data) => {
    expect(warningsIn(format, data)).toEqual([]);
  });
});
