import { leafTexts } from '../../core/json.ts';
import type { Step, Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { cut, letterWords, oneLine } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { languageOf } from '../_readings/conduct/language.ts';
import { type PersonRejection, personRejections } from '../_readings/conduct/person-rejections.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';

/** The last answer gives a value of a call that a person rejected, as if the call had been made. */
interface RejectedEffect {
  rejection: PersonRejection;
  answer: Step;
  value: string;
}

/** Negations, refusals, conditions and offers: the answer may say that the call was not made, or offer it again. */
const DENIES =
  /[?？]|n['’]t\b|(?<!\p{L})(?:no|not|nothing|never|none|without|reject\w{0,4}|refus\w{0,4}|declin\w{0,3}|den(?:y|ied)|turn(?:ed)? down|cancel\w{0,6}|instead|skip\w{0,4}|if|would|could|can|may|might|should|will|wait\w{0,3}|pending|nicht|kein\w{0,2}|nie|ohne|abgelehnt|lehn\w{0,3}|statt\w{0,5}|wenn|falls|könn\w{0,4}|würde\w{0,2}|soll\w{0,3}|werde\w{0,2}|ne|pas|non|sans|aucune?|refusé\w{0,2}|annulé\w{0,2}|rejet\w{0,5}|si|pourrai\w{0,3}|peu[tx]|sin|ningun[ao]?|rechaz\w{0,6}|podr\w{0,4}|puede|senza|nessun\w?|rifiut\w{0,5}|potre\w{0,5}|può|se|não|nenhum\w?|sem|recus\w{0,5}|pod\w{0,4}|niet|geen|zonder|geweiger\w|afgewezen|als|kan|zou|не|нет|без|отказ\p{L}{0,6}|отклон\p{L}{0,6}|если|можно)(?!\p{L})|不|没|未|无|拒|取消|如果|可以|ない|ません|なかった|せず|却下|もし|않|못|안 |없|거부|거절|만약/iu;
const COVERED: ReadonlySet<string> = new Set(
  'english german french spanish italian portuguese dutch russian chinese japanese korean'.split(' '),
);
/** Frequent words of these languages: in a short text, two of them show that it is in one of them. */
const FREQUENT: ReadonlySet<string> = new Set(
  'the is are was were of to has have had been its it now and der die das ist hat hatte mit und von wurde le la les est été avec et el los ha con y fue il gli è stato stata di o os foi com de het een en van met'.split(
    ' ',
  ),
);
/** A shorter value occurs by chance. */
const MIN_VALUE_LENGTH = 2;

function rejectedEffects(trace: Trace): RejectedEffect[] {
  const answer = trace.steps.findLast(({ kind, output }) => kind === 'llm' && output.trim() !== '');
  if (
    answer === undefined ||
    !hasKnownEnd(trace) ||
    answer.outputMessages.some(({ toolCalls }) => toolCalls.length > 0)
  )
    return [];
  if (DENIES.test(answer.output) || !isCovered(answer.output)) return [];
  const rejections = personRejections(trace).filter(
    ({ step, tool }) =>
      step < answer.index &&
      !toolUses(trace).some((use) => use.step > step && use.name === tool && use.hasResult && !use.isError),
  );
  return rejections.slice(-1).flatMap((rejection) => {
    const value = leafTexts(rejection.arguments).find((one) => isOnlyOfCall(trace, answer, rejection, one));
    return value === undefined ? [] : [{ rejection, answer, value }];
  });
}

function isCovered(text: string): boolean {
  const language = languageOf(text);
  if (language !== null) return COVERED.has(language);
  return new Set(letterWords(text).filter((word) => FREQUENT.has(word))).size >= 2;
}

/** Whether the answer gives this value of the call, and neither a person, an instruction nor a result gave it. */
function isOnlyOfCall(trace: Trace, answer: Step, { quote }: PersonRejection, value: string): boolean {
  if (value.length < MIN_VALUE_LENGTH || !isIn(answer.output, value) || isIn(quote, value)) return false;
  if (isIn(trace.task ?? '', value)) return false;
  return trace.steps.every(
    ({ kind, output, inputMessages, index }) =>
      index >= answer.index ||
      ((kind !== 'tool' || !isIn(output, value)) &&
        inputMessages.every(({ role, content }) => role === 'assistant' || !isIn(content, value))),
  );
}

/** Whether the text contains the value as a word of its own. */
function isIn(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + value.length] ?? ' '];
    if (!/[\p{N}.,]/u.test(before) && !/\p{N}/u.test(after)) return true;
  }
  return false;
}

export function rejectedEffectDetections(trace: Trace): DetectionDraft<'rejected_call_claimed'>[] {
  return rejectedEffects(trace).map(({ rejection, answer, value }) => {
    const { tool, step, quote, path } = rejection;
    const who = answer.agent ?? answer.name;
    const call = cut(`${tool}(${oneLine(JSON.stringify(rejection.arguments))})`, 140);
    const text = cut(oneLine(answer.output), 140);
    return {
      subtype: 'rejected_call_claimed',
      score: 0.72,
      step: answer.index,
      steps: [answer.index, step],
      agent: answer.agent,
      explanation: `A person rejected ${call} at step ${step}, and ${tool} was not executed later. The last answer of ${who} at step ${answer.index} gives its value "${value}" and does not say that the call was rejected: "${text}".`,
      suggestedAction: `Correct the answer of ${who}: ${tool} did not run, because a person rejected it at step ${step}.`,
      evidence: [
        { kind: 'text', spanId: answer.spanId, path: 'output', quote: cut(answer.output, 280), value },
        { kind: 'source', spanId: trace.steps[step]!.spanId, path, quote, value: tool },
      ],
      fixes: [
        ruleFix(trace, answer.agent, {
          title: 'Report a rejected call as not done',
          rule: 'When a person rejects a call, begin your answer with what was not done and why. Never describe the effect of a call that did not run.',
          why: `The answer describes ${tool}, which did not run.`,
        }),
        checkFix('tool_change', {
          title: `Say in the result of ${tool} what did not happen`,
          target: `result of a rejected call of ${tool}`,
          description: `Return a result that states that ${tool} did not run and that nothing was changed, and that asks the agent to tell this to the user.`,
          after: `{"executed": false, "rejected_by": "person", "tell_user": "${tool} did not run"}`,
          why: 'The agent took the call for made although the result said otherwise.',
        }),
      ],
      key: tool,
    };
  });
}
