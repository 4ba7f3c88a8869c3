import { toRfc3339 } from '../../core/clock.ts';
import type { Detection } from '../../core/detection.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Trace } from '../../core/trace.ts';
import { userPrompts } from '../../detectors/_readings/coding/user-prompts.ts';
import { pricesAsOf } from '../../formats/model-catalog/price-list.ts';
import type { SessionReport } from './report.record.ts';
import { type SessionItem, toCodingSessionRecord } from './session.record.ts';
import { problemsOf } from './session-problems.ts';
import { workOf } from './session-work.ts';
import { shorten } from './shorten.ts';

const MAX_PROMPTS = 50;
const MAX_PROBLEMS = 100;
const PROMPT_CHARACTERS = 500;
const ANSWER_CHARACTERS = 800;

export interface ReportSource {
  item: SessionItem;
  trace: Trace;
  detections: readonly Detection[];
}

/** The report of one session. Pure: stored data and an agent's own files give the same report. */
export function sessionReport({ item, trace, detections }: ReportSource, models: ModelCatalog): SessionReport {
  const prompts = userPrompts(trace);
  const problems = problemsOf(trace, detections, models);
  return {
    session: toCodingSessionRecord(item),
    asked: prompts.slice(0, MAX_PROMPTS).map(({ step, text }) => ({
      step,
      at: timeOf(trace, step),
      text: shorten(text, PROMPT_CHARACTERS),
    })),
    prompt_count: prompts.length,
    done: workOf(trace),
    problems: problems.slice(0, MAX_PROBLEMS),
    problem_count: problems.length,
    cost: costOf(trace),
    final_answer: trace.finalOutput === null ? null : shorten(trace.finalOutput, ANSWER_CHARACTERS),
  };
}

function costOf({ steps, tokens, costUsd }: Trace): SessionReport['cost'] {
  const calls = steps.filter(
    ({ kind, model, tokens: used }) => kind === 'llm' && model !== null && used.total !== null,
  );
  const models = [...Map.groupBy(calls, ({ model }) => model as string)].map(([model, same]) => {
    const costs = same.map((call) => call.costUsd).filter((cost) => cost !== null);
    return {
      model,
      calls: same.length,
      tokens: same.reduce((sum, call) => sum + (call.tokens.total ?? 0), 0),
      cost_usd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    };
  });
  return {
    cost_usd: costUsd,
    input_tokens: tokens.input,
    cache_read_tokens: tokens.cacheRead,
    cache_write_tokens: tokens.cacheWrite,
    output_tokens: tokens.output,
    models: models.sort((one, other) => (other.cost_usd ?? 0) - (one.cost_usd ?? 0)),
    prices_as_of: pricesAsOf(),
  };
}

function timeOf({ steps }: Trace, step: number): string | null {
  const startMs = steps[step]?.startMs ?? null;
  return startMs === null ? null : toRfc3339(startMs);
}
