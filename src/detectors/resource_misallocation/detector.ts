import type { Trace } from '../../core/trace.ts';
import { defineDetector } from '../_kit/define.ts';
import { words } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { tokenCount, wasteOf } from '../_readings/calls/waste.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { resourceMisallocationManifest } from './manifest.ts';
import { findModelFallbacks } from './model-fallback.ts';
import { findSpawning } from './spawning.ts';

/** With fewer calls, the work cannot be called unproductive. */
const MIN_CALLS = 8;
/** Minimum share of the run's tokens that the agent used. */
const MIN_TOKEN_SHARE = 0.5;
/** Minimum share of calls without new information. */
const MIN_UNPRODUCTIVE_SHARE = 0.75;
/** A result with a smaller share of new words is not new information. */
const MIN_NEW_WORD_SHARE = 0.1;

export const resourceMisallocation = defineDetector({
  ...resourceMisallocationManifest,
  detect(trace, { models }, report) {
    for (const draft of findSpawning(trace)) report(draft);
    for (const draft of findModelFallbacks(trace)) report(draft);
    for (const [agent, uses] of Map.groupBy(toolUses(trace), ({ agent: by }) => by)) {
      const share = tokenShare(trace, agent);
      if (uses.length < MIN_CALLS || share < MIN_TOKEN_SHARE) continue;
      const unproductive = unproductiveCalls(uses);
      if (unproductive.length < MIN_UNPRODUCTIVE_SHARE * uses.length) continue;
      const name = agent ?? uses[0]!.name;
      const [first] = unproductive as [ToolUse];
      report({
        subtype: 'barren_agent',
        score: 0.62,
        step: first.step,
        steps: [...new Set(unproductive.map(({ step }) => step))],
        agent,
        explanation: `${name} spent ${Math.round(100 * share)} % of the run's tokens, and ${unproductive.length} of its ${uses.length} tool calls failed or returned nothing new, the first at step ${first.step}.`,
        suggestedAction: `Give ${name} a budget of calls, and stop it when several calls in a row return nothing new.`,
        evidence: unproductive.slice(0, 4).map(({ step, name: tool }) => ({
          kind: 'repeated_call',
          spanId: trace.steps[step]!.spanId,
          path: 'tool.result',
          quote: null,
          value: tool,
        })),
        ...wasteOf(
          trace,
          unproductive.map(({ step }) => step),
          models,
        ),
        fixes: [
          checkFix('budget_limit', {
            title: `Stop ${name} when it learns nothing`,
            target: name,
            description: `Count calls of ${name} in a row whose results contain nothing new, and after three return to the caller with what is known.`,
            after: 'max_unproductive_calls: 3; then return the best answer so far and say what is missing',
            why: 'More calls of the same kind did not help, and no limit stopped them.',
          }),
        ],
        key: name,
      });
    }
  },
});

function unproductiveCalls(uses: readonly ToolUse[]): ToolUse[] {
  const seen = new Set<string>();
  const requests = new Set<string>();
  return uses.filter((use) => {
    const key = `${use.name} ${use.argumentsText}`;
    if (requests.has(key)) return false;
    requests.add(key);
    if (use.isError) return true;
    if (!use.hasResult || use.changesState) return false;
    const found = [...new Set(words(use.resultText.slice(0, 5000)))];
    const newWords = found.filter((word) => !seen.has(word));
    for (const word of newWords) seen.add(word);
    return newWords.length < MIN_NEW_WORD_SHARE * found.length;
  });
}

function tokenShare(trace: Trace, agent: string | null): number {
  const calls = trace.steps.filter(({ kind }) => kind === 'llm');
  const sum = (of: typeof calls) => of.reduce((total, { tokens }) => total + tokenCount(tokens), 0);
  const all = sum(calls);
  return all === 0 ? 0 : sum(calls.filter((step) => step.agent === agent)) / all;
}
