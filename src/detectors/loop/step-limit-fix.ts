import type { Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { jsonPatched } from '../_kit/patch.ts';

/** Name of the step limit in each framework. */
const NAMES: Readonly<Record<string, string>> = {
  langgraph: 'recursion_limit',
  'openai-agents': 'max_turns',
  crewai: 'max_iter',
  autogen: 'max_turns',
  ag2: 'max_turns',
  smolagents: 'max_steps',
  langchain: 'max_iterations',
};

/** Names in the JavaScript versions of these frameworks, where they differ. */
const JAVASCRIPT_NAMES: Readonly<Record<string, string>> = {
  langgraph: 'recursionLimit',
  'openai-agents': 'maxTurns',
  langchain: 'recursionLimit',
};

/** Number of cycle rounds that the new limit allows. */
const ROUNDS = 3;

/**
 * A changed step limit. If a cycle of many rounds used it up, the limit for three rounds, so that the same failure ends
 * sooner; if the run was only long, twice the limit.
 * @param rounds of the cycle; null if there was none
 */
export function stepLimitFixes(trace: Trace, path: string, limit: number, rounds: number | null): Fix[] {
  if (rounds !== null && rounds <= ROUNDS) return [];
  const javascript = trace.language === 'javascript' ? JAVASCRIPT_NAMES[trace.framework] : undefined;
  const name = javascript ?? NAMES[trace.framework] ?? 'max_steps';
  const isCycle = rounds !== null;
  const value = isCycle ? Math.max(2, Math.ceil((limit * ROUNDS) / rounds)) : limit * 2;
  const fix: Fix = {
    fixType: 'config_change',
    title: isCycle ? `Lower ${name} until ${path} has an exit` : `Raise ${name} if ${path} needs more steps`,
    description: isCycle
      ? `Set ${name} from ${limit} to ${value}: about ${ROUNDS} of the ${rounds} rounds of ${path} that this run made. It ends such a run sooner and corrects nothing else.`
      : `Set ${name} from ${limit} to ${value} if each step of ${path} brought the run forward; otherwise find out first what it waits for.`,
    rationale: isCycle
      ? 'Rounds after the third brought the run no closer to its end.'
      : 'The run was stopped at its limit without a cycle.',
    confidence: isCycle ? 0.4 : 0.3,
    risk: 'medium',
    changes: [jsonPatched(`${name} of the run`, { [name]: limit }, [{ op: 'replace', path: `/${name}`, value }])],
    isBreaking: false,
    requiresTesting: true,
  };
  return [fix];
}
