import type { Step } from '../../core/trace.ts';
import { bigSlice, isEmptyObservation, toolName } from './trail-features.ts';
import { faultOf } from './trail-faults.ts';
import { FINAL_TOOL, openingOf, type TrailRun, type Turn } from './trail-run.ts';

export interface RuleFinding {
  spanId: string;
  category: string;
  /** Name of the rule that found it. */
  rule: string;
}

/** A rule names spans of one category; rules stand in the order in which they may spend the budget. */
interface TrailRule {
  name: string;
  category: string;
  find(run: TrailRun): Step[];
}

/** A trace gets no more findings than this from rules. */
export const RULE_BUDGET = 6;

const RULES: readonly TrailRule[] = [
  {
    name: 'answer-without-tools',
    category: 'Goal Deviation',
    find: (run) => (isToolless(run) ? stepsOf(acting(run).filter(({ isFinal }) => isFinal)) : []),
  },
  {
    name: 'answer-tool-silent',
    category: 'Context Handling Failures',
    find: (run) => silentAnswer(run),
  },
  {
    name: 'answer-at-once',
    category: 'Tool Selection Errors',
    find: (run) => (isToolless(run) ? stepsOf(acting(run).filter(({ isFinal, place }) => isFinal && place === 0)) : []),
  },
  {
    name: 'answer-at-once',
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
    find: (run) => stepsOf(acting(run).filter(({ previous }) => previous !== null && isSpelledOut(previous.observation))),
  },
  {
    name: 'asks-nobody',
    category: 'Tool Selection Errors',
    find: (run) => (isToolless(run) ? stepsOf(acting(run).filter(({ isFinal, place }) => !isFinal && place <= 1)) : []),
  },
  {
    name: 'asserts-unseen',
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
];

/** Findings by rules alone, the surest first, at most `RULE_BUDGET`. */
export function ruleFindings(run: TrailRun, budget = RULE_BUDGET): RuleFinding[] {
  const found = new Map<string, RuleFinding>();
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

/** Tools or helpers were promised and not one was used. */
function isToolless({ promised, tools, delegates }: TrailRun): boolean {
  return promised.size > 0 && tools.length === 0 && delegates.length === 0;
}

function isOtherFault(turn: Turn | null): boolean {
  const fault = faultOf(turn?.failure ?? '');
  return fault !== null && fault.kind !== 'arguments';
}

const SPELLED_OUT = /(?:\n[^\n]){8}/;

/** A text printed one character a line: it was taken for a list. */
function isSpelledOut(observation: string): boolean {
  return SPELLED_OUT.test(observation.slice(0, 4000));
}

function silentAnswer({ trace, turns }: TrailRun): Step[] {
  const last = trace.steps.findLast(({ kind }) => kind === 'tool' || kind === 'llm');
  const isSilent = last !== undefined && last.kind === 'tool' && FINAL_TOOL.test(toolName(last)) && last.output.trim() === '';
  return isSilent && turns.length > 0 ? [last] : [];
}

/** Plans that lack the closing mark their prompt asks for. */
function unmarkedPlans({ turns }: TrailRun): Step[] {
  return turns
    .filter(({ role }) => role === 'plan')
    .filter(({ step }) => /write the .{0,6}<end_plan>/is.test(promptOf(step)) && !step.output.includes('<end_plan>'))
    .map(({ step }) => step);
}

/** Where the prompt limits what may be printed at once (`first 500 characters`) and more came out. */
function overlongPrints(run: TrailRun): Step[] {
  const prompt = run.turns.slice(0, 3).map(({ step }) => `${openingOf(step)}${promptOf(step)}`).join('\n');
  const limit = Number(/\b(\d{3,5}) characters\b/.exec(prompt)?.[1] ?? Number.POSITIVE_INFINITY);
  return stepsOf(
    acting(run).filter(
      (turn) => turn.role === 'code' && !turn.isFinal && (turn.observation.length > 2 * limit || (Number.isFinite(limit) && bigSlice(turn))),
    ),
  );
}

function promptOf(step: Step): string {
  return step.inputMessages.map(({ content }) => content).join('\n').slice(0, 40_000);
}

void isEmptyObservation;
