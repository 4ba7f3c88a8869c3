import type { Trace } from '../../core/trace.ts';
import { agentTurns, type Said } from '../_conduct/said.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';

export interface WrongTool {
  said: Said;
  sentence: string;
  announced: string;
  called: ToolUse;
}

/** How many calls after the announcement still count as carrying it out. */
const PATIENCE = 3;

/** Turns that announce one tool by its exact name and call another, without the announced one following soon. */
export function wrongTools(trace: Trace): WrongTool[] {
  const uses = toolUses(trace);
  const names = toolNames(trace, uses);
  if (names.size < 2) return [];
  return agentTurns(trace).flatMap((said) => {
    const plan = announcement(said.text, names);
    if (plan === null) return [];
    const next = uses.filter(({ step, agent }) => step >= said.step && agent === said.agent).slice(0, PATIENCE);
    const [called] = next;
    const isSameTurn = said.calls.length > 0 ? said.calls.includes(called?.name ?? '') : called?.step === said.step + 1;
    if (called === undefined || !isSameTurn || said.calls.includes(plan.announced)) return [];
    if (next.some(({ name }) => sameName(name, plan.announced))) return [];
    return [{ said, ...plan, called }];
  });
}

function toolNames(trace: Trace, uses: readonly ToolUse[]): Set<string> {
  const all = [...trace.toolDefinitions, ...uses].map(({ name }) => name);
  return new Set(all.filter((name) => /[_.A-Z-]/.test(name.slice(1)) && name.length >= 5));
}

const OWN_PLAN =
  /(?:^|[.!?\n:]\s{0,3})((?:I(?:['’]ll| will| am going to)|let me|let['’]s|now I(?:['’]ll| will)|ich werde|voy a|je vais|vou)\b[^.!?\n]{0,60}\b(?:call|use|using|invoke|run|aufrufen|verwende[n]?|nutze[n]?|llamar|usar|appeler|utiliser|chamar)\b[^.!?\n]{0,30}[`"'“ ])([A-Za-z][\w.-]{3,60})(?=[`"'”\s(.,:]|$)/giu;

/** The first tool named in a sentence in which the agent says what it does next; null where several are named. */
function announcement(text: string, names: ReadonlySet<string>): { sentence: string; announced: string } | null {
  for (const [, opening, word] of text.slice(0, 4000).matchAll(OWN_PLAN)) {
    const announced = [...names].find((name) => sameName(name, word!.replace(/\.$/, '')));
    if (announced === undefined) continue;
    const named = [...names].filter((name) => text.includes(name));
    return named.length === 1 ? { sentence: `${opening}${word}`.trim(), announced } : null;
  }
  return null;
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase() || a.toLowerCase().endsWith(`.${b.toLowerCase()}`);
}
