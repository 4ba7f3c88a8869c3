import type { Step } from '../../src/core/trace.ts';
import { faultOf } from './trail-faults.ts';
import { FINAL_TOOL, openingOf, printsLongExcerpts, type TrailRun, type Turn, toolName } from './trail-run.ts';

export interface RuleDetection {
  spanId: string;
  category: string;
  /** Name of the rule that found it. */
  rule: RuleName;
}

export type RuleName =
  | 'tool-reports-error'
  | 'answer-without-tools'
  | 'empty-answer-tool'
  | 'immediate-answer'
  | 'bad-arguments'
  | 'after-failure'
  | 'unread-structure'
  | 'unused-helper'
  | 'unsupported-claim'
  | 'end-mark-missing'
  | 'prints-too-much'
  | 'cites-uncalled-tool'
  | 'abandons-failed-tool';

/** A rule detects spans of one category. Rules are listed in the order in which they use the budget. */
interface TrailRule {
  name: RuleName;
  category: string;
  find(run: TrailRun): Step[];
}

/** Maximum detections of a trace by rules. */
export const RULE_BUDGET = 6;

/** Errors of external services in a tool's short result. HTTP statuses count only after a word such as `status`. */
const ERROR_PATTERNS: readonly { category: string; pattern: RegExp }[] = [
  {
    category: 'Authentication Errors',
    pattern: /\b(?:error|status|http)[^\n\d]{0,20}40[13]\b|\bunauthori[sz]ed\b|\binvalid api key\b/i,
  },
  { category: 'Rate Limiting', pattern: /\b(?:error|status|http)[^\n\d]{0,20}429\b|\btoo many requests\b/i },
  {
    category: 'Service Errors',
    pattern:
      /\b(?:error|status|http)[^\n\d]{0,20}50[0234]\b|\bconnection (?:aborted|refused|reset)\b|\bservice unavailable\b/i,
  },
  { category: 'Timeout Issues', pattern: /\btimed out\b|\bTimeoutError\b/i },
];

const RULES: readonly TrailRule[] = [
  ...ERROR_PATTERNS.map(
    ({ category, pattern }): TrailRule => ({
      name: 'tool-reports-error',
      category,
      find: (run: TrailRun) => run.tools.filter((step) => reportsError(step, pattern)),
    }),
  ),
  {
    name: 'answer-without-tools',
    category: 'Goal Deviation',
    find: (run) => (isToolless(run) ? stepsOf(acting(run).filter(({ isFinal }) => isFinal)) : []),
  },
  {
    name: 'empty-answer-tool',
    category: 'Context Handling Failures',
    find: (run) => emptyAnswerTool(run),
  },
  {
    name: 'immediate-answer',
    category: 'Tool Selection Errors',
    find: (run) => (isToolless(run) ? stepsOf(acting(run).filter(({ isFinal, place }) => isFinal && place === 0)) : []),
  },
  {
    name: 'immediate-answer',
    category: 'Task Orchestration',
    find: (run) => (isToolless(run) ? stepsOf(acting(run).filter(({ isFinal, place }) => isFinal && place === 0)) : []),
  },
  {
    name: 'bad-arguments',
    category: 'Formatting Errors',
    find: (run) => stepsOf(acting(run).filter(({ failure }) => faultOf(failure)?.kind === 'arguments')),
  },
  {
    name: 'after-failure',
    category: 'Formatting Errors',
    find: (run) => stepsOf(acting(run).filter(({ previous }) => isOtherFault(previous))),
  },
  {
    name: 'unread-structure',
    category: 'Formatting Errors',
    find: (run) =>
      stepsOf(acting(run).filter(({ previous }) => previous !== null && isSpelledOut(previous.observation))),
  },
  {
    name: 'unused-helper',
    category: 'Tool Selection Errors',
    find: (run) => (isToolless(run) ? stepsOf(acting(run).filter(({ isFinal, place }) => !isFinal && place <= 1)) : []),
  },
  {
    name: 'unused-helper',
    category: 'Task Orchestration',
    find: (run) => stepsOf(acting(run).filter((turn) => turn.place > 0 && usesNoHelper(turn, run))),
  },
  {
    name: 'unsupported-claim',
    category: 'Language-only',
    find: (run) => (isToolless(run) ? stepsOf(acting(run).filter(({ isFinal }) => isFinal)) : []),
  },
  {
    name: 'end-mark-missing',
    category: 'Instruction Non-compliance',
    find: (run) => (isToolless(run) ? unmarkedPlans(run) : []),
  },
  {
    name: 'prints-too-much',
    category: 'Instruction Non-compliance',
    find: (run) => overlongPrints(run),
  },
  {
    name: 'cites-uncalled-tool',
    category: 'Tool-related',
    find: (run) => (isToolless(run) ? stepsOf(acting(run).filter((turn) => turn.isFinal && turn.place > 0)) : []),
  },
  {
    name: 'abandons-failed-tool',
    category: 'Incorrect Problem Identification',
    find: (run) => stepsOf(acting(run).filter((turn) => abandonsFailedTool(turn, run))),
  },
];

/** Detections by rules alone, the most confident first, at most `RULE_BUDGET`. */
export function ruleDetections(run: TrailRun, budget = RULE_BUDGET): RuleDetection[] {
  const found = new Map<string, RuleDetection>();
  for (const { name, category, find } of RULES)
    for (const { spanId } of find(run)) {
      const key = `${spanId} ${category}`;
      if (!found.has(key)) found.set(key, { spanId, category, rule: name });
    }
  return [...found.values()].slice(0, budget);
}

function acting({ turns }: TrailRun): Turn[] {
  return turns.filter(({ place }) => place >= 0);
}

function stepsOf(turns: readonly Turn[]): Step[] {
  return turns.map(({ step }) => step);
}

/** Whether tools or helpers were available and none was used. */
function isToolless({ declared, tools, delegates }: TrailRun): boolean {
  return declared.size > 0 && tools.length === 0 && delegates.length === 0;
}

function isOtherFault(turn: Turn | null): boolean {
  const fault = faultOf(turn?.failure ?? '');
  return fault !== null && fault.kind !== 'arguments';
}

/** Whether the code continues without the tool that just failed, although tools are available. */
function abandonsFailedTool(turn: Turn, { declared }: TrailRun): boolean {
  return turn.role === 'code' && declared.size > 0 && !turn.isFinal && isOtherFault(turn.previous);
}

const SPELLED_OUT = /(?:\n[^\n]){8}|(?:'[^']?', ){8}/;

/** Whether a text was printed one character per line, or as a list of characters, because it was treated as a list. */
function isSpelledOut(observation: string): boolean {
  return SPELLED_OUT.test(observation.slice(0, 4000));
}

function emptyAnswerTool({ trace, turns }: TrailRun): Step[] {
  const last = trace.steps.findLast(({ kind }) => kind === 'tool' || kind === 'llm');
  const isSilent =
    last !== undefined && last.kind === 'tool' && FINAL_TOOL.test(toolName(last)) && last.output.trim() === '';
  return isSilent && turns.length > 0 ? [last] : [];
}

/** Plans without the end tag that their prompt requires. */
function unmarkedPlans({ turns }: TrailRun): Step[] {
  return turns
    .filter(({ role }) => role === 'plan')
    .filter(({ step }) => /write the .{0,6}<end_plan>/is.test(promptOf(step)) && !step.output.includes('<end_plan>'))
    .map(({ step }) => step);
}

/** Whether the code mentions tools or helpers but neither calls one nor submits an answer. */
function usesNoHelper(turn: Turn, { declared }: TrailRun): boolean {
  if (turn.role !== 'code' || turn.actions.length > 0 || turn.isFinal || turn.failure !== '') return false;
  return [...declared].some((name) => turn.modelText.includes(name));
}

/** Turns that print more than the prompt allows (`first 500 characters`). */
function overlongPrints(run: TrailRun): Step[] {
  const prompt = run.turns
    .slice(0, 3)
    .map(({ step }) => `${openingOf(step)}${promptOf(step)}`)
    .join('\n');
  const limit = Number(/\b(\d{3,5}) characters\b/.exec(prompt)?.[1] ?? Number.POSITIVE_INFINITY);
  return stepsOf(
    acting(run).filter(
      (turn) =>
        turn.role === 'code' &&
        !turn.isFinal &&
        (turn.observation.length > 2 * limit || (Number.isFinite(limit) && printsLongExcerpts(turn))),
    ),
  );
}

function promptOf(step: Step): string {
  return step.inputMessages
    .map(({ content }) => content)
    .join('\n')
    .slice(0, 40_000);
}

/** Longer results are content, which may mention errors. */
const REPORT_LENGTH = 600;

function reportsError({ output, error }: Step, pattern: RegExp): boolean {
  const text = `${error?.message ?? ''}\n${output}`;
  return text.length <= REPORT_LENGTH && pattern.test(text);
}
