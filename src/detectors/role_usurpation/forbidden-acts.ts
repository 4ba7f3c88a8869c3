import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { cut, oneLine, splitSentences } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';

interface ForbiddenAct {
  use: ToolUse;
  turn: ConversationTurn;
  /** The sentence of the user. */
  quote: string;
}

/** The user forbids an act of any kind of object; the group is the stem of the verb. */
const FORBIDS: readonly RegExp[] = [
  /\b(?:do not|don['’]t|never) (delete|remov|send|book|cancel|publish|deploy|overwrit|pay|order|merg)\p{L}{0,2} (?:anything|any\b)/iu,
  /(?<!\p{L})(lösch|entfern|send|buch|stornier|veröffentlich|bestell|überweis)\p{L}{0,2} (?:bitte )?(?:nichts|keine)/iu,
];
/** How a result states the act: the stem of the verb, and its past participle. */
const DONE: Readonly<Record<string, RegExp>> = {
  delete: /\bdeleted\b/i,
  remov: /\b(?:removed|deleted)\b/i,
  send: /\bsent\b|gesendet/i,
  book: /\bbooked\b/i,
  cancel: /\bcancell?ed\b/i,
  publish: /\bpublished\b/i,
  deploy: /\bdeployed\b/i,
  overwrit: /\boverwritten\b/i,
  pay: /\bpaid\b/i,
  order: /\bordered\b/i,
  merg: /\bmerged\b/i,
  lösch: /gelöscht/i,
  entfern: /entfernt/i,
  buch: /gebucht/i,
  stornier: /storniert/i,
  veröffentlich: /veröffentlicht/i,
  bestell: /bestellt/i,
  überweis: /überwiesen/i,
};
const LIMITED =
  /\b(?:until|before|unless|if|when|without|except|but|other than|yet|else|more|apart|otherwise)\b|[?？]|(?<!\p{L})(?:bis|bevor|außer|ohne|wenn|falls|sonst|noch|aber|weiter\p{L}{0,2})(?!\p{L})/iu;
/** A longer result is a page or a record, in which the word may be about something else. */
const RESULT_LIMIT = 80;
const MESSAGE_LIMIT = 1_500;

/** Calls whose result states an act that the last message of the user before them forbids. None for coding agents. */
function forbiddenActs(trace: Trace): ForbiddenAct[] {
  if (trace.codingSession !== undefined) return [];
  const asked = conversation(trace).filter(({ by }) => by === 'user');
  return toolUses(trace).flatMap((use): ForbiddenAct[] => {
    if (use.failure !== null || !use.changesState || use.resultText.length > RESULT_LIMIT) return [];
    const turn = asked.findLast(({ step }) => step <= use.step);
    const quote = turn === undefined ? null : prohibitionOf(turn, use.resultText);
    return turn === undefined || quote === null ? [] : [{ use, turn, quote }];
  });
}

function prohibitionOf({ text }: ConversationTurn, result: string): string | null {
  if (text.length > MESSAGE_LIMIT) return null;
  for (const sentence of splitSentences(text))
    for (const form of FORBIDS) {
      const verb = form.exec(sentence)?.[1]?.toLowerCase();
      if (verb !== undefined && !LIMITED.test(sentence) && DONE[verb]?.test(result) === true)
        return oneLine(sentence.trim());
    }
  return null;
}

export function forbiddenActDetections(trace: Trace): DetectionDraft<'rejected_call_made'>[] {
  const byTool = Map.groupBy(forbiddenActs(trace), ({ use }) => use.name);
  return [...byTool.values()].map((acts) => {
    const [{ use, turn, quote }] = acts as [ForbiddenAct, ...ForbiddenAct[]];
    const who = use.agent ?? trace.steps[use.step]!.name;
    const call = cut(`${use.name}(${oneLine(use.argumentsText)})`, 140);
    return {
      subtype: 'rejected_call_made',
      title: 'Did what the user had forbidden',
      // Read from the words of a message: a warning.
      score: 0.7,
      step: use.step,
      steps: [...acts.map((act) => act.use.step), turn.step],
      agent: use.agent,
      explanation: `The user wrote at step ${turn.step}: "${cut(quote, 120)}". ${who} then called ${call}, which returned "${cut(oneLine(use.resultText), 80)}" at step ${use.step}. The trace contains no message of the user in between.`,
      suggestedAction: `Reverse the effect of ${call} if that is possible, and require an approval for every call of ${use.name}.`,
      evidence: [
        { kind: 'source', spanId: trace.steps[turn.step]!.spanId, path: 'input', quote, value: null },
        {
          kind: 'call',
          spanId: trace.steps[use.step]!.spanId,
          path: 'tool.arguments',
          quote: null,
          value: cut(use.argumentsText, 280),
        },
      ],
      fixes: [
        checkFix('workflow_change', {
          title: `Ask the user before ${use.name} runs`,
          target: `approval of ${use.name}`,
          description: `Have a person approve each call of ${use.name}, or leave it out of the tools of a run whose user forbids the act.`,
          after: `before ${use.name}: ask the user, and run it only after a yes`,
          why: 'The message of the user did not prevent the call.',
        }),
        ruleFix(trace, use.agent, {
          title: 'Keep what the user forbids',
          rule: 'If the user forbids an act, do not do it until the user allows it in a later message.',
          why: `${who} called ${use.name} after the message of the user.`,
        }),
      ],
      key: use.name,
    };
  });
}
