import type { Trace } from '../../core/trace.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { countBeforeStep } from '../_readings/calls/steps-before.ts';
import { agentTurns, type ConversationTurn } from '../_readings/conduct/conversation.ts';

export interface WrongTool {
  turn: ConversationTurn;
  sentence: string;
  announced: string;
  called: ToolUse;
}

/** Limit for turns; longer runs repeat themselves. */
const MAX_TURNS = 2000;

/** Number of calls after the announcement within which the tool must be called. */
const MAX_CALLS_BETWEEN = 3;

/** Turns that announce one tool by its exact name and call another, without a call of the announced tool soon after. */
export function wrongTools(trace: Trace): WrongTool[] {
  const uses = toolUses(trace);
  const names = toolNames(trace, uses);
  if (names.size < 2) return [];
  return agentTurns(trace)
    .slice(0, MAX_TURNS)
    .flatMap((turn) => {
      const plan = announcement(turn.text, names);
      if (plan === null) return [];
      const next = callsFrom(uses, turn);
      const [called] = next;
      const isSameTurn =
        turn.calls.length > 0 ? turn.calls.includes(called?.name ?? '') : called?.step === turn.step + 1;
      if (called === undefined || !isSameTurn || turn.calls.includes(plan.announced)) return [];
      if (next.some(({ name }) => isSameName(name, plan.announced))) return [];
      return [{ turn, ...plan, called }];
    });
}

/** The agent's first calls from this turn on; calls are ordered by step. */
function callsFrom(uses: readonly ToolUse[], { step, agent }: ConversationTurn): ToolUse[] {
  const from = countBeforeStep(uses, step);
  const near = uses.slice(from, from + 10 * MAX_CALLS_BETWEEN);
  return near.filter((use) => use.agent === agent).slice(0, MAX_CALLS_BETWEEN);
}

function toolNames(trace: Trace, uses: readonly ToolUse[]): Set<string> {
  const all = [...trace.toolDefinitions, ...uses].map(({ name }) => name);
  return new Set(all.filter((name) => /[_.A-Z-]/.test(name.slice(1)) && name.length >= 5));
}

const OWN_PLAN =
  /^(?:now |next,? |first,? |jetzt |ahora |maintenant )?(?:I(?:['’]ll| will| am going to)|let me|let['’]s|ich werde|voy a|je vais|vou)\b.{0,60}\b(?:call|use|using|invoke|run|aufrufen|verwenden?|nutzen?|llamar|usar|appeler|utiliser|chamar)\b/iu;

/** The only tool that the agent names as its next action; null if there are none or several. */
function announcement(text: string, names: ReadonlySet<string>): { sentence: string; announced: string } | null {
  const [announced, ...others] = [...names].filter((name) => hasName(text, name));
  if (announced === undefined || others.length > 0) return null;
  const sentences = text.slice(0, 4000).split(/(?<=[.!?:])\s|\n/);
  const sentence = sentences.find((each) => OWN_PLAN.test(each) && [...names].some((name) => hasName(each, name)));
  return sentence === undefined ? null : { sentence: sentence.trim(), announced };
}

function hasName(text: string, name: string): boolean {
  const at = text.indexOf(name);
  return at !== -1 && !/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + name.length] ?? '');
}

function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase() || a.toLowerCase().endsWith(`.${b.toLowerCase()}`);
}
