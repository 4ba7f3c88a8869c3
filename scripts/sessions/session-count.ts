import { costOf, isLongPrompt } from './published-prices.ts';
import { noTokens, sumOfTokens, type Tokens } from './tokens.ts';

export type SessionEnd = 'completed' | 'interrupted' | 'refused' | 'api_error' | 'limit' | 'unknown';

/** Figures of one session file. Null: the format does not record the figure. */
export interface SessionCount {
  product: string;
  sessionId: string;
  models: string[];
  tokens: Tokens | null;
  /** US dollars at published prices, or the file's own figure where the file has no token counts. */
  costUsd: number | null;
  /** The part of `costUsd` that subagents caused whose calls are in the same file. */
  subagentCostUsd: number;
  /** History of another session that a fork or branch repeats. Not part of any other figure. */
  copiedCostUsd: number;
  toolCalls: number;
  subagentToolCalls: number;
  /** By the program's own flags. Includes policy refusals, excludes refusals by the user and cancelled calls. */
  failedCalls: number | null;
  /** Tool call ids of the failed calls, as the program wrote them. */
  failedIds: string[];
  /** No exit code is recorded, but the output ends with a runner's own line of failure. Not part of `failedCalls`. */
  failedBySummaryIds: string[];
  /** Calls that started a process whose failure a later call reported. Not part of `failedCalls`. */
  failedStartIds: string[];
  subagentFailedCalls: number;
  policyRefusals: number;
  userRefusals: number;
  cancelledCalls: number;
  interrupts: number;
  compactions: number;
  endedBy: SessionEnd;
  origin: 'new' | 'resumed' | 'forked' | 'subagent';
  notes: string[];
}

export function emptyCount(product: string, sessionId: string): SessionCount {
  return {
    product,
    sessionId,
    models: [],
    tokens: null,
    costUsd: null,
    subagentCostUsd: 0,
    copiedCostUsd: 0,
    toolCalls: 0,
    subagentToolCalls: 0,
    failedCalls: 0,
    failedIds: [],
    failedBySummaryIds: [],
    failedStartIds: [],
    subagentFailedCalls: 0,
    policyRefusals: 0,
    userRefusals: 0,
    cancelledCalls: 0,
    interrupts: 0,
    compactions: 0,
    endedBy: 'unknown',
    origin: 'new',
    notes: [],
  };
}

/** One model call, counted once even if the file records it several times. */
export interface ModelCall {
  model: string;
  day: string;
  tokens: Tokens;
  by: 'session' | 'subagent' | 'copied history';
}

/** Adds model calls to the tokens and costs of a count. Without a price for one of its models the cost is null. */
export function addModelCalls(count: SessionCount, calls: readonly ModelCall[]): void {
  const own = calls.filter((call) => call.by !== 'copied history');
  count.tokens = own.map((call) => call.tokens).reduce(sumOfTokens, noTokens());
  count.models = [...new Set(own.map((call) => call.model))];
  count.costUsd = totalCost(own);
  count.subagentCostUsd = totalCost(own.filter((call) => call.by === 'subagent')) ?? 0;
  count.copiedCostUsd = totalCost(calls.filter((call) => call.by === 'copied history')) ?? 0;
  const unpriced = new Set(own.filter((call) => priced(call) === null).map((call) => call.model));
  if (unpriced.size > 0) count.notes.push(`no published price for ${[...unpriced].join(', ')}`);
  if (own.some((call) => isLongPrompt(call.model, call.tokens))) count.notes.push('prompts at the long-context price');
}

function totalCost(calls: readonly ModelCall[]): number | null {
  const costs = calls.map(priced);
  return costs.some((cost) => cost === null) ? null : costs.reduce<number>((total, cost) => total + (cost ?? 0), 0);
}

function priced(call: ModelCall): number | null {
  return costOf(call.model, call.tokens, call.day);
}
