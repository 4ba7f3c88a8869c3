import type { Trace } from '../../core/trace.ts';
import { defineDetector } from '../_kit/define.ts';
import { yesSupports } from '../_kit/question.ts';
import { cut } from '../_kit/text.ts';
import { agentTurns, type ConversationTurn } from '../_readings/conduct/conversation.ts';
import { actsAfter, type Handoff, handoffs, isKnownActor } from '../_readings/conduct/handoffs.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { communicationManifest } from './manifest.ts';
import { communicationQuestions } from './questions.ts';

type Subtype = 'missing_recipient' | 'unanswered_question';

interface Breakdown {
  subtype: Subtype;
  score: number;
  step: number;
  from: string | null;
  to: string;
  what: string;
  quote: string;
}

export const communication = defineDetector({
  ...communicationManifest,
  questions: communicationQuestions,
  conclude: yesSupports,
  detect(trace, _options, report) {
    for (const { from, what, quote, to, ...found } of [...missingRecipients(trace), ...unansweredQuestions(trace)]) {
      const sender = from ?? trace.steps[found.step]!.name;
      report({
        ...found,
        steps: [found.step],
        agent: from,
        explanation: `At step ${found.step} ${sender} ${what}.`,
        suggestedAction: `Make sure that messages of ${sender} to ${to} arrive, or are rejected with an error.`,
        evidence: [
          { kind: 'handoff', spanId: trace.steps[found.step]!.spanId, path: null, quote: cut(quote, 250), value: to },
        ],
        fixes: [
          checkFix('workflow_change', {
            title: `Check the recipient ${to}`,
            target: `messages of ${sender}`,
            description: `Reject a message to ${to} that cannot be delivered, list the available agents, and wait for the answer of those that can receive it.`,
            after: `if the recipient is unknown: {"error": "no agent ${to}", "agents": ${JSON.stringify(trace.agents.slice(0, 10))}}`,
            why: 'The sender received no error.',
          }),
        ],
        key: `${sender} ${to}`,
      });
    }
  },
});

/** Handoffs or messages to a name that does not occur in the run and never acts. */
function missingRecipients(trace: Trace): Breakdown[] {
  const areAgentsKnown = trace.graph !== null || trace.agents.length > 1;
  if (!areAgentsKnown || trace.status === 'error') return [];
  const all = handoffs(trace);
  const lost = all.filter(
    (handoff) =>
      addressesAgent(trace, handoff, all) &&
      !isKnownActor(trace, handoff.to) &&
      !actsAfter(trace, handoff.to, handoff.step - 1),
  );
  const first = new Map([...lost].reverse().map((handoff) => [handoff.to, handoff]));
  return [...first.values()].map(({ step, from, to, how }) => ({
    subtype: 'missing_recipient',
    score: how === 'goto' ? 0.66 : 0.6,
    step,
    from,
    to,
    what: `${how === 'message' ? 'sent a message' : 'handed over'} to ${to}, and no agent or node of that name acts in this run`,
    quote: `${from ?? ''} -> ${to}`,
  }));
}

/**
 * Whether a handoff is meant for an agent of the run. Routing by nodes is reported by `workflow_design`. A tool named
 * `transfer_to_x` may lead to a person or another system, if it answered without an error. A tool with the receiver as an
 * argument sends messages between agents only if it reached an agent of the run at least once.
 */
function addressesAgent(trace: Trace, { step, how, tool }: Handoff, all: readonly Handoff[]): boolean {
  if (how === 'tool' || how === 'state') return false;
  if (how === 'goto') return trace.graph === null && trace.steps[step]!.node === null;
  return how !== 'message' || all.some((other) => other.tool === tool && isKnownActor(trace, other.to));
}

/** "@name …?" or "name, …?" to an agent of the run that does not act again although the run continues. */
function unansweredQuestions(trace: Trace): Breakdown[] {
  if (trace.agents.length < 2) return [];
  const turns = agentTurns(trace);
  return turns.flatMap((turn): Breakdown[] => {
    const request = turn.text.length > 4000 ? null : questionTo(trace.agents, turn);
    if (request === null || actsAfter(trace, request.to, turn.step)) return [];
    const { to, question } = request;
    const what = `asked ${to} "${cut(question, 120)}", and ${to} never answered`;
    return [
      { subtype: 'unanswered_question', score: 0.62, step: turn.step, from: turn.agent, to, what, quote: question },
    ];
  });
}

function questionTo(
  agents: readonly string[],
  { agent, text }: ConversationTurn,
): { to: string; question: string } | null {
  if (!/[?？]/.test(text)) return null;
  for (const sentence of text.split(/(?<=[.!?。！？])\s|\n/)) {
    if (!/[?？]\s{0,3}$/.test(sentence)) continue;
    const to = agents.find((name) => name !== agent && isAddressed(sentence.trim(), name));
    if (to !== undefined) return { to, question: sentence.trim() };
  }
  return null;
}

function isAddressed(sentence: string, name: string): boolean {
  const start = sentence.replace(/^[*_>\s]{1,6}/, '');
  return (
    sentence.includes(`@${name}`) ||
    (start.startsWith(name) && /^[,:，：]/.test(start.slice(name.length).replace(/^[*_]{1,4}/, '')))
  );
}
