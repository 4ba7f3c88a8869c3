import type { Trace } from '../../core/trace.ts';
import { type Act, actsOf } from './acts.ts';
import { type Similarity, similarities } from './similarity.ts';
import { type TextFacts, textFacts } from './text-facts.ts';
import { type WordFlow, wordFlow } from './word-flow.ts';

/** Facts about the whole run that the features of an act use. */
export interface RunView {
  acts: readonly Act[];
  flow: WordFlow;
  /** Number of acts of each agent so far and in total. */
  agentTotals: ReadonlyMap<string, number>;
  llmTotal: number;
  toolTotal: number;
  errorTotal: number;
  firstError: number;
  /** Act with the last answer of sufficient length; -1 if there is none. */
  finalAct: number;
  /** Whether the run ends with the text of `finalAct`: it makes no call, and no model wrote after it. */
  isAnswerLast: boolean;
}

/** One act with the inputs of all its features. */
export interface StepView {
  run: RunView;
  index: number;
  act: Act;
  previous: Act | null;
  next: Act | null;
  /** The next tool result before a message of another agent. */
  nextTool: Act | null;
  agentIndex: number;
  llmIndex: number;
  errorsBefore: number;
  facts: TextFacts;
  /** Bits in the order of `WORDING_NAMES`. */
  wordings: number;
  words: WordUse;
  like: Similarity;
}

export interface WordUse {
  distinct: number;
  running: number;
  fresh: number;
  freshNumbers: number;
  numbers: number;
  freshUsedLater: number;
  freshNumbersUsedLater: number;
  fromTask: number;
  /** Share of the final answer's words that this act introduced, and share that it has in common with the final answer. */
  freshInFinal: number;
  sharedWithFinal: number;
  freshNumbersInFinal: number;
}

/** The acts of a run in order, each with the preceding and following texts. */
export function stepViews(trace: Trace): StepView[] {
  const acts = actsOf(trace);
  const flow = wordFlow(acts, trace.task);
  const run = runView(acts, flow);
  const uses = wordUses(run);
  const agents = acts.map(({ agent }) => agent);
  const similarityRow = similarities(flow.words, agents, flow.firstUsed.length);
  const agentCounts = new Map<string, number>();
  let [llmIndex, errorsBefore] = [0, 0];
  return acts.map((act, index) => {
    const agentIndex = agentCounts.get(act.agent) ?? 0;
    const next = acts[index + 1] ?? null;
    const view = {
      run,
      index,
      act,
      previous: acts[index - 1] ?? null,
      next,
      nextTool: act.kind === 'llm' && next?.kind === 'tool' ? next : null,
      agentIndex,
      llmIndex,
      errorsBefore,
      facts: textFacts(act.output),
      wordings: flow.wordings[index]!,
      words: uses[index]!,
      like: similarityRow[index]!,
    };
    agentCounts.set(act.agent, agentIndex + 1);
    if (act.kind === 'llm') llmIndex += 1;
    if (act.isError) errorsBefore += 1;
    return view;
  });
}

function runView(acts: readonly Act[], flow: WordFlow): RunView {
  const agentTotals = new Map<string, number>();
  for (const { agent } of acts) agentTotals.set(agent, (agentTotals.get(agent) ?? 0) + 1);
  const finalAct = acts.findLastIndex((act, index) => act.kind === 'llm' && flow.words[index]!.length >= FINAL_WORDS);
  const lastText = acts.findLastIndex((act) => act.kind === 'llm' && act.output.trim() !== '');
  return {
    acts,
    flow,
    agentTotals,
    llmTotal: acts.filter((act) => act.kind === 'llm').length,
    toolTotal: acts.filter((act) => act.kind === 'tool').length,
    errorTotal: acts.filter((act) => act.isError).length,
    firstError: acts.findIndex((act) => act.isError),
    finalAct,
    isAnswerLast: finalAct >= 0 && finalAct === lastText && acts[finalAct]!.callCount === 0,
  };
}

/** A bare "TERMINATE" or "done" is not an answer. */
const FINAL_WORDS = 4;

function wordUses({ acts, flow, finalAct }: RunView): WordUse[] {
  const isFinal = new Uint8Array(flow.firstUsed.length);
  const final = finalAct < 0 ? new Uint32Array() : flow.words[finalAct]!;
  for (const id of final) isFinal[id] = flow.isInTask[id] === 1 ? 0 : 1;
  const own = final.filter((id) => isFinal[id] === 1);
  const finalNumbers = Math.max(1, own.filter((id) => flow.isNumber[id] === 1).length);
  return acts.map((_, index) => {
    const counts = countWords(flow, index, isFinal);
    return {
      ...counts,
      freshInFinal: counts.freshInFinal / Math.max(1, own.length),
      sharedWithFinal: counts.sharedWithFinal / Math.max(1, own.length),
      freshNumbersInFinal: counts.freshNumbersInFinal / finalNumbers,
    };
  });
}

function countWords(flow: WordFlow, index: number, isFinal: Uint8Array): WordUse {
  const words = flow.words[index]!;
  const counts = {
    distinct: words.length,
    running: flow.wordCounts[index]!,
    fresh: 0,
    freshNumbers: 0,
    numbers: 0,
    freshUsedLater: 0,
    freshNumbersUsedLater: 0,
    fromTask: 0,
    freshInFinal: 0,
    sharedWithFinal: 0,
    freshNumbersInFinal: 0,
  };
  for (const id of words) {
    const isFresh = flow.firstUsed[id] === index ? 1 : 0;
    const isLater = flow.lastUsed[id]! > index ? 1 : 0;
    const isNumber = flow.isNumber[id]!;
    counts.fresh += isFresh;
    counts.numbers += isNumber;
    counts.freshNumbers += isFresh & isNumber;
    counts.freshUsedLater += isFresh & isLater;
    counts.freshNumbersUsedLater += isFresh & isLater & isNumber;
    counts.fromTask += flow.isInTask[id]!;
    counts.sharedWithFinal += isFinal[id]!;
    counts.freshInFinal += isFinal[id]! & isFresh;
    counts.freshNumbersInFinal += isFinal[id]! & isFresh & isNumber;
  }
  return counts;
}
