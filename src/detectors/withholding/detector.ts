import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { defineDetector } from '../_kit/define.ts';
import { lazy } from '../_kit/memoize.ts';
import { yesSupports } from '../_kit/question.ts';
import { cut } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { withholdingManifest } from './manifest.ts';
import { withholdingQuestions } from './questions.ts';

interface KnownFact {
  field: string;
  value: string;
  step: number;
  agent: string;
  tool: string;
}

interface Withheld {
  fact: KnownFact;
  askingTurn: ConversationTurn;
  question: string;
}

export const withholding = defineDetector({
  ...withholdingManifest,
  questions: withholdingQuestions,
  conclude: yesSupports,
  detect(trace, _options, report) {
    if (trace.agents.length < 2) return;
    for (const { fact, askingTurn, question } of withheldFacts(trace).slice(0, 5)) {
      const askingAgent = askingTurn.agent!;
      report({
        subtype: 'known_fact_asked_for',
        score: 0.64,
        step: fact.step,
        steps: [fact.step, askingTurn.step],
        agent: fact.agent,
        explanation: `${fact.agent} got ${fact.field} from ${fact.tool} at step ${fact.step} and did not pass it on: at step ${askingTurn.step} ${askingAgent} asks "${cut(question, 120)}"`,
        suggestedAction: `Pass ${fact.field} on from ${fact.agent} to ${askingAgent}.`,
        evidence: [
          {
            kind: 'source',
            spanId: trace.steps[fact.step]!.spanId,
            path: `tool.result.${fact.field}`,
            quote: fact.value,
            value: null,
          },
          { kind: 'text', spanId: trace.steps[askingTurn.step]!.spanId, path: 'output', quote: question, value: null },
        ],
        fixes: [
          checkFix('workflow_change', {
            title: `Pass ${fact.field} with the task`,
            target: `handoff ${fact.agent} -> ${askingAgent}`,
            description: `Put ${fact.field} into the state that ${fact.agent} and ${askingAgent} share, or into the message with which ${askingAgent} gets its task.`,
            after: `{"task": "…", "${fact.field}": "<from ${fact.tool}>"}`,
            why: 'The value was known in the run and missing where it was needed.',
          }),
        ],
        key: `${fact.agent} ${fact.field}`,
      });
    }
  },
});

const ASKS =
  /\b(?:please (?:provide|share|tell|give|send)|(?:could|can|would) you (?:please )?(?:provide|share|tell|give|send)|what(?:['’]s| is) (?:the|your)|I (?:do ?n['’]t|do not) (?:have|know) (?:the|your)|bitte nennen|wie lautet|cuál es|quel(?:le)? est|qual é)\b/iu;

/** Limits for large runs, in which comparing every pair would take seconds. */
const MAX_FACTS = 1000;
const MAX_QUESTIONS = 100;

function withheldFacts(trace: Trace): Withheld[] {
  const facts = lazy(() => knownFacts(trace).slice(0, MAX_FACTS));
  const turns = conversation(trace);
  const found = new Map<string, Withheld>();
  for (const askingTurn of turns
    .filter(({ by, text }) => by === 'agent' && ASKS.test(text.slice(0, 3000)))
    .slice(0, MAX_QUESTIONS)) {
    if (askingTurn.agent === null) continue;
    for (const question of askingTurn.text.slice(0, 3000).split(/(?<=[.!?？])\s|\n/)) {
      if (!ASKS.test(question)) continue;
      const fact = facts().find(
        (known) => isAskedFor(known, question) && known.step < askingTurn.step && known.agent !== askingTurn.agent,
      );
      if (fact === undefined || found.has(fact.field) || wasPassedOn(turns, fact, askingTurn)) continue;
      found.set(fact.field, { fact, askingTurn, question: question.trim() });
    }
  }
  return [...found.values()];
}

/** Named values of JSON results: ids, dates, amounts. */
function knownFacts(trace: Trace): KnownFact[] {
  return toolUses(trace).flatMap(({ agent, step, name, resultText, isError }) => {
    if (agent === null || isError || resultText.length > 50_000 || !/^\s*[[{]/.test(resultText)) return [];
    return fieldsOf(parseJson(resultText) ?? null).map(([field, value]) => ({ field, value, step, agent, tool: name }));
  });
}

function fieldsOf(value: Json): [string, string][] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([field, part]): [string, string][] => {
    if (isJsonObject(part)) return fieldsOf(part);
    const isFact =
      (typeof part === 'string' && part.length >= 4 && part.length <= 80) || (typeof part === 'number' && part > 99);
    return isFact && /[a-z][_-][a-z]|[a-z][A-Z]/.test(field) ? [[field, String(part)]] : [];
  });
}

/** Whether a text asks for the field: its words in order, `order_id` as "order id". */
function isAskedFor({ field }: KnownFact, question: string): boolean {
  const spoken = field
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
  const text = question.toLowerCase().replace(/[_-]+/g, ' ');
  const at = text.indexOf(spoken);
  return at !== -1 && !/\p{L}/u.test(text[at - 1] ?? '') && !/\p{L}/u.test(text[at + spoken.length] ?? '');
}

/** Whether the value occurs in a message, or in the input of the asking agent. */
function wasPassedOn(turns: readonly ConversationTurn[], fact: KnownFact, askingTurn: ConversationTurn): boolean {
  return turns.some(({ step, text }) => step <= askingTurn.step && text.includes(fact.value));
}
