import type { Step, Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { cut, stepsText } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { codingWork } from '../_readings/conduct/coding-work.ts';
import { agentTurns, type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { requestedNames } from '../_readings/conduct/requested-calls.ts';
import { colonAnnouncements } from './colon-announcement.ts';
import type { Verdict } from './verdict.ts';

/** The last sentence begins with an announcement of the agent's next action. */
const ANNOUNCES =
  /^(?:(?:now|next|first|then|so|okay|ok|great|sure|alright|ahora|primero|a continuación|luego|maintenant|ensuite|d['’]abord|agora|primeiro|em seguida|adesso|ora|poi|prima|to [^.!?\n]{3,100}),? {0,2})?(?:I(?:['’]ll| will| am going to|['’]m going to| need to| shall)|let me|let['’]s|ich werde|lass mich|voy a|vamos a|permíteme|je vais|laisse[z-]{1,4}moi|vou|deixe-me|devo ora|ik ga|ik zal|сейчас я|я буду)\s(?!know|be (?:happy|glad|able|here|ready|sure)|wait|end|assume|stop|await|conclude|summar|help you|assist|keep|leave|not\b|never|consider|say|recap|wrap|get back|remember|note)/iu;
/** Word for the next action, verb, subject: `Nun werde ich …`, `Jetzt suche ich …`, `Nu ga ik …`. */
const ANNOUNCES_VERB_FIRST = [
  /^(?:nun|jetzt|als nächstes|als erstes|zuerst|zunächst|dann|danach|anschließend) (?:werde|suche|prüfe|rufe|öffne|lese|lade|hole|frage|führe|starte|schaue|sehe|teste|überprüfe|recherchiere|durchsuche) ich\s(?!fertig)/iu,
  /^ich (?:suche|prüfe|rufe|öffne|lese|lade|hole|frage|führe|starte|schaue|teste|überprüfe|recherchiere|durchsuche) (?:nun|jetzt|zuerst|zunächst|als nächstes)\s/iu,
  /^(?:nu|eerst|vervolgens|daarna|dan) (?:ga|zal|zoek|controleer|open|lees|bekijk) ik\s/iu,
  /^ik (?:zoek|controleer|open|lees|bekijk) (?:nu|eerst|vervolgens)\s/iu,
];
/** The verb says who acts: `Ora cerco …`, `A continuación buscaré …`, `Теперь проверю …`. */
const ANNOUNCES_BY_VERB = [
  /^(?:ahora|primero|luego|a continuación),? (?:busco|buscaré|reviso|revisaré|consulto|consultaré|compruebo|comprobaré|verifico|verificaré|abro|abriré)\s/iu,
  /^(?:maintenant,? |ensuite,? |d['’]abord,? )?je (?:cherche|vérifie|consulte|ouvre|regarde) (?:maintenant|ensuite|d['’]abord)\s/iu,
  /^(?:ora|adesso|poi|prima),? (?:cerco|cercherò|verifico|verificherò|controllo|controllerò|consulto|consulterò|apro|aprirò)\s/iu,
  /^(?:cerco|verifico|controllo|consulto|apro) (?:ora|adesso|prima)\s/iu,
  /^(?:сейчас|теперь|затем|сначала|далее) (?:я )?(?:поищу|проверю|найду|открою|посмотрю|запрошу|попробую)\s/iu,
];
const ANNOUNCES_WITHOUT_SPACES =
  /^(?:接下来|现在|下面|首先|然后)?，?(?:我将|让我|我会|我来)(?!知道|等)|^(?:次に|続いて|まず|これから|では)、?[^。]{2,60}(?<!おすすめ|お勧め|推奨|提案|説明|報告|お知らせ|お伝え|回答|案内|紹介)(?:します|いたします)/u;
const IS_CONDITIONAL =
  /\b(?:if|once|when|after you|as soon as|please|would you|could you|shall I|let me know|you can|unless|wenn|sobald|bitte|cuando|si|une fois|quand|se|quando)\b|\?\s{0,4}$|如果|请|もし|[\]\\})]\s{0,4}$/iu;

/** A run that ends with an announced action or with a tool result that no one answered. */
export function abandoned(trace: Trace): Verdict | null {
  const last = conversation(trace).at(-1);
  if (last === undefined || !hasKnownEnd(trace) || trace.status === 'error' || !needsAnswer(trace)) return null;
  const lastUse = toolUses(trace).at(-1);
  if (lastUse !== undefined && lastUse.step > last.step) return unansweredResult(trace);
  if (last.by !== 'agent' || last.calls.length > 0) return null;
  const sentence = lastSentence(last.text);
  const name = last.agent ?? trace.steps[last.step]!.name;
  const withColon = ADDRESSES_USER.test(sentence) ? [] : colonAnnouncements(trace, last);
  if (withColon.length > 0) return missingCall(trace, name, last, sentence, withColon);
  if (!isAnnouncement(sentence)) return null;
  const before = announcedCall(trace, last, sentence);
  if (before !== null) return missingCall(trace, name, last, sentence, [before]);
  return {
    subtype: 'unfulfilled_announcement',
    score: 0.62,
    step: last.step,
    steps: [last.step],
    agent: last.agent,
    explanation: `The run ended at step ${last.step} with ${name} saying what it was about to do ("${cut(sentence, 140)}"), and it never did it.`,
    suggestedAction: `Let ${name} continue until it has done what it announces, or has said why it cannot.`,
    evidence: [{ kind: 'text', step: last.step, path: 'output', quote: sentence }],
    fix: continueFix(name),
    key: name,
  };
}

function isAnnouncement(sentence: string): boolean {
  const forms = [ANNOUNCES, ANNOUNCES_WITHOUT_SPACES, ...ANNOUNCES_VERB_FIRST, ...ANNOUNCES_BY_VERB];
  return forms.some((form) => form.test(sentence)) && !IS_CONDITIONAL.test(sentence);
}

/** Work that needs no call. */
const NEEDS_NO_CALL = /calcul|comput|berechn|rechne|rekenen|вычисл|посчита|计算|計算/iu;

/** A promise to the user, such as a mail that a person will send. */
const ADDRESSES_USER =
  /(?<!\p{L})(?:you|your|sie|ihnen|ihren?|dir|dich|vous|votre|usted|ustedes|você|вам|вас)(?!\p{L})|您|你|あなた|お客様/iu;

/**
 * The last earlier message in which the agent announced an action and requested a call with it. Null if the last message
 * may not announce a call: it is about a calculation, addresses the user, or names a tool that has already worked.
 */
function announcedCall(trace: Trace, last: ConversationTurn, sentence: string): ConversationTurn | null {
  if (NEEDS_NO_CALL.test(sentence) || ADDRESSES_USER.test(sentence)) return null;
  if (toolUses(trace).some(({ name, isError }) => !isError && sentence.includes(name))) return null;
  const earlier = agentTurns(trace).findLast(
    (turn) =>
      turn.step < last.step &&
      turn.agent === last.agent &&
      isAnnouncement(lastSentence(turn.text)) &&
      requestedNames(trace, turn).length > 0,
  );
  return earlier ?? null;
}

/** @param earlier an announcement that came with its call, or at least two messages that end with a colon */
function missingCall(
  trace: Trace,
  name: string,
  { step, agent }: ConversationTurn,
  sentence: string,
  earlier: readonly ConversationTurn[],
): Verdict {
  const before = earlier.at(-1)!;
  const steps = earlier.map((turn) => turn.step);
  const [called] = requestedNames(trace, before);
  const calledAt =
    before.calls.length > 0 ? ` and requested ${called} in the same message` : `, and the call of ${called} follows`;
  const how =
    earlier.length > 1
      ? `A call followed each of its ${earlier.length} earlier messages that end with a colon (${stepsText(steps)}).`
      : `At step ${before.step} it announced an action too${calledAt}.`;
  return {
    subtype: 'announced_call_missing',
    score: 0.66,
    step,
    steps: [step, ...steps],
    agent,
    explanation: `The run ended at step ${step} with ${name} announcing its next action ("${cut(sentence, 140)}"), and no call follows. ${how}`,
    suggestedAction: `Continue the run when ${name} announces an action without a call: ask it to make the call or to say why it cannot.`,
    evidence: [
      { kind: 'text', step, path: 'output', quote: sentence },
      { kind: 'text', step: before.step, path: 'output', quote: lastSentence(before.text) },
    ],
    fix: continueFix(name),
    key: name,
  };
}

/**
 * Whether the run should end with an answer. Not a session of a coding agent that was stopped, or whose recording is
 * incomplete.
 */
export function needsAnswer({ codingSession }: Trace): boolean {
  return codingSession === undefined || codingSession.endedBy === 'completed';
}

function lastSentence(text: string): string {
  const lines = text.trim().slice(-600).split('\n');
  const line = (lines.at(-1) ?? '').replace(/^[\s>*#-]{1,10}/, '').trim();
  return line
    .split(/(?<=[.!?。！？])\s?(?=\S)/u)
    .at(-1)!
    .trim();
}

export const ENDS_BY_DESIGN =
  /structured_?output|finish|submit|final|stop|terminat|transfer|hand_?off|escalat|complete|done|end_|respond|reply|answer|send|return/i;

/**
 * The model requested a tool, the tool returned, and no model turn follows. A tool that no model requested was run by the
 * workflow, such as a code executor or an extraction step: its result ends the run.
 */
function unansweredResult(trace: Trace): Verdict | null {
  const last = trace.steps.at(-1)!;
  const uses = toolUses(trace);
  const use = uses.at(-1)!;
  // If no text of any model call was recorded, a missing answer proves nothing.
  const hasProducedText = trace.steps.some(
    ({ kind, output, outputMessages }) => kind === 'llm' && (output.trim() !== '' || outputMessages.length > 0),
  );
  if (isReportedElsewhere(uses)) return null;
  if (last.kind !== 'tool' || last.index !== use.step || !hasProducedText || ENDS_BY_DESIGN.test(use.name)) return null;
  if (codingWork(trace).at(-1)?.kind === 'submit' || isAnsweredAround(trace, last)) return null;
  const request = conversation(trace).at(-1);
  if (request?.by !== 'agent' || !request.calls.includes(use.name)) return null;
  const name = use.agent ?? use.name;
  return {
    subtype: 'no_final_answer',
    // In workflows that end on a tool by design, the model writes a text together with the call.
    score: request.text === '' ? 0.6 : 0.5,
    step: use.step,
    steps: [use.step],
    agent: use.agent,
    explanation: `The run ended at step ${use.step} with the result of ${use.name}: no answer by ${name} follows, so the caller received nothing.`,
    suggestedAction: 'Give the model a last turn after its tools have returned.',
    evidence: [{ kind: 'call', step: use.step, path: 'tool', quote: `${use.name} ${use.argumentsText}` }],
    fix: continueFix(name),
    key: use.name,
  };
}

/** A run that ends with a failed call is reported by `tool_failure`, one that ends in a loop by `loop`. */
export function isReportedElsewhere(uses: readonly ToolUse[]): boolean {
  const last = uses.at(-1)!;
  const same = uses
    .slice(-10)
    .filter(({ name, argumentsText }) => name === last.name && argumentsText === last.argumentsText);
  return last.isError || same.length >= 3;
}

/**
 * Whether the span around a call contains the answer. The first turn of a conversation is the parent of the later ones and
 * not a span around them: it is a message, or a model call that ended before the call started.
 */
export function isAnsweredAround({ steps }: Trace, { parent, startMs }: Step): boolean {
  if (parent === null || steps[parent]!.output.trim() === '') return false;
  const { kind, endMs } = steps[parent]!;
  if (kind === 'llm') return endMs !== null && startMs !== null && endMs > startMs;
  return kind !== 'message';
}

function continueFix(name: string) {
  return checkFix('workflow_change', {
    title: 'End the run on an answer only',
    target: `stop condition of ${name}`,
    description: `Stop when ${name} gives an answer, not when a turn contains no tool call. If ${name} only announces a step, ask it to continue.`,
    after: 'if the last turn announces an action and calls no tool: ask the agent to carry it out, at most twice',
    why: 'A turn without a tool call ended the loop although the work was not done.',
  });
}
