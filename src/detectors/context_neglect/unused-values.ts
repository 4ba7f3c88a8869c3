import type { Message, Step, Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { lazy } from '../_kit/memoize.ts';
import { systemPrompt } from '../_kit/prompt-rule.ts';
import { isAscii, lettersAndDigits, withoutFences } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { isRunner } from '../_readings/calls/tool-roles.ts';
import { actOf } from '../_readings/conduct/call-acts.ts';
import { agentTurns, type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { endsWithQuestion } from '../_readings/conduct/open-question.ts';
import { emailsIn } from '../_readings/support/emails.ts';
import { identifiersIn, linksIn, withoutEndMarks, withoutLinks } from '../_readings/support/exact-values.ts';
import { hasCuts } from '../_readings/support/run-texts.ts';
import { areListed, isOnlyMentioned, withoutQuotations } from './mentioned-values.ts';
import { withoutSignature } from './signature.ts';

/** A value of the user that no call passed and no result contains. */
export interface UnusedValue {
  /** As the user wrote it. */
  value: string;
  givenAt: number;
  /** Last turn of the agent. */
  answer: ConversationTurn;
  /** Number of calls of the run. */
  calls: number;
}

/** `material` is a document that the message only lists with a description. */
type ValueKind = 'link' | 'email' | 'document' | 'material' | 'identifier';

interface GivenValue {
  kind: ValueKind;
  value: string;
  givenAt: number;
  /** Position of the message in the conversation: a model call may record it together with its answer. */
  turn: number;
}

/** Longer messages contain material, such as a report or a log, and not only a request. */
const MAX_MESSAGE_LENGTH = 1_500;
/** More values are data to work on. */
const MAX_VALUES = 6;

/**
 * Values that the user gave and the run did not use, if one agent answers and it has tools. Work on code is omitted: users
 * name files, commits and addresses there as context.
 */
export function unusedValues(trace: Trace): UnusedValue[] {
  const answer = agentTurns(trace).at(-1);
  if (answer === undefined || !isWhole(trace) || trace.status === 'error' || endsWithQuestion(trace)) return [];
  const given = givenValues(trace);
  if (given.length === 0) return [];
  const answeredAt = conversation(trace).indexOf(answer);
  const isUsed = usedValues(trace, given);
  return given
    .filter((one) => one.kind !== 'material' && one.turn < answeredAt && !isUsed(one.value))
    .filter((one) => isWanted(trace, one, given, isUsed))
    .map(({ value, givenAt }) => ({ value, givenAt, answer, calls: toolUses(trace).length }));
}

/**
 * Whether the user wants the value to be used, and no other one in its place. A used value of the same kind, in a later
 * message or in the same one, may be its correction, unless both are members of one list.
 */
function isWanted(
  trace: Trace,
  { kind, value, turn }: GivenValue,
  given: readonly GivenValue[],
  isUsed: (value: string) => boolean,
): boolean {
  const asked = withoutQuotations(conversation(trace)[turn]!.text);
  const others = given.filter((one) => one.turn === turn && one.value !== value).map((one) => one.value);
  if (!asked.includes(value) || isOnlyMentioned(asked, value, others)) return false;
  const used = given.filter((one) => one.kind === kind && one.turn >= turn && one.value !== value && isUsed(one.value));
  const isMember = used.some((one) => one.turn === turn && areListed(asked, value, one.value));
  return isMember ? used.every((one) => one.turn === turn) : used.length === 0;
}

/** The values in the messages of the user, if one agent with tools serves the user and the work is not about code. */
export function givenValues(trace: Trace): readonly GivenValue[] {
  if (!isServed(trace)) return [];
  const given = conversation(trace).flatMap((turn, at) =>
    turn.by === 'user' && turn.text.length <= MAX_MESSAGE_LENGTH ? valuesOf(turn, at) : [],
  );
  return given.length > MAX_VALUES ? [] : given;
}

const DOCUMENT =
  /(?<![\p{L}\p{N}_./-])[\p{L}\p{N}_-]{2,80}\.(?:txt|docx?|pdf|xlsx?|csv|pptx?|odt|ods|rtf)(?![\p{L}\p{N}_])/giu;
/** A cheap test: false for a text without a document. */
const DOCUMENT_ENDING = /\.(?:txt|docx?|pdf|xlsx?|csv|pptx?|odt|ods|rtf)/iu;
/**
 * A list item that begins with a document and describes it, such as `- prices.csv (CSV): …`. It says what is available and
 * requests nothing.
 */
const MATERIAL =
  /^[ \t]{0,40}(?:[-*+•–—]|\d{1,3}[.)])[ \t]{1,8}[*_`"'“„«]{0,3}[\p{L}\p{N}_-]{2,80}\.(?:txt|docx?|pdf|xlsx?|csv|pptx?|odt|ods|rtf)[*_`"'”“»]{0,3}(?:[ \t]{0,4}[(（:：]|[ \t]{1,4}[-–—][ \t])/gimu;
const BARE_LINK = /(?<![\p{L}\p{N}_./-])www\.[\p{L}\p{N}-]{1,63}\.[^\s<>"'`)\]}|\\]{2,200}/gu;

/** A remark in parentheses: a link there is a source or an explanation. */
const REMARK = /\([^()]{1,300}\)/g;

/** A numbered element of a page, such as `[31] button 'Search'`. */
const PAGE_ELEMENT = /^\s{0,40}\[\d{1,6}\] [\p{L}<]/gmu;
const MIN_ELEMENTS = 3;

/** The values of one message, each once. None for the description of a page: its address is where the browser is. */
function valuesOf({ step, text }: ConversationTurn, turn: number): GivenValue[] {
  if ((text.match(PAGE_ELEMENT)?.length ?? 0) >= MIN_ELEMENTS) return [];
  const prose = withoutSignature(withoutFences(text));
  const sentences = prose.replace(REMARK, ' ');
  const links = [...linksIn(sentences), ...(sentences.match(BARE_LINK) ?? []).map(withoutEndMarks)];
  const rest = withoutLinks(prose).replace(BARE_LINK, ' ');
  const emails = emailsIn(rest);
  const words = emails.reduce((left, email) => left.replaceAll(email, ' '), rest);
  const documents = documentsIn(words);
  const requested = documents.length === 0 ? [] : documentsIn(words.replace(MATERIAL, ' '));
  const kinds: [ValueKind, readonly string[]][] = [
    ['link', links],
    ['email', emails],
    ['document', requested],
    ['material', documents.filter((document) => !requested.includes(document))],
    ['identifier', identifiersIn(documents.length === 0 ? words : words.replace(DOCUMENT, ' '))],
  ];
  return kinds.flatMap(([kind, values]) => [...new Set(values)].map((value) => ({ kind, value, givenAt: step, turn })));
}

function documentsIn(text: string): readonly string[] {
  return DOCUMENT_ENDING.test(text) ? (text.match(DOCUMENT) ?? []) : [];
}

/** Whether a single agent with tools answers the user, and its work is not about code. */
function isServed(trace: Trace): boolean {
  const answering = new Set(trace.steps.filter(({ kind }) => kind === 'llm').map((step) => step.agent));
  if (answering.size > 1 || trace.codingSession !== undefined || trace.toolDefinitions.some(isRunner)) return false;
  const uses = toolUses(trace);
  if (uses.length === 0)
    return (
      trace.toolDefinitions.length > 0 || TOOLS.test(systemPrompt(trace, agentTurns(trace).at(-1)?.agent ?? null) ?? '')
    );
  return uses.some(({ hasArguments }) => hasArguments) && !uses.some((use) => CODE_ACTS.has(actOf(trace, use)));
}

const CODE_ACTS: ReadonlySet<string> = new Set(['command', 'edit', 'tests', 'code']);

/** The word for tools in instructions, for senders that do not record the declared tools. */
const TOOLS =
  /(?<!\p{L})(?:tools?|werkzeuge?n?|outils?|herramientas?|ferramentas?|strument[oi]|narzędzi\p{L}{0,3}|инструмент\p{L}{0,3})(?!\p{L})|工具|ツール|도구/iu;

/** Whether the run used a value: an argument, a result, an instruction or a text other than the messages contains it. */
function usedValues(trace: Trace, given: readonly GivenValue[]): (value: string) => boolean {
  const calls = [...trace.steps.flatMap(callTexts), ...toolUses(trace).flatMap(useTexts)];
  const others = trace.steps
    .filter(({ kind }) => !HAS_CALLS_ONLY.has(kind))
    .flatMap(({ input, output }) => [input, output]);
  if (hasCuts([...calls, ...others])) return () => true;
  const plain = lazy(() => [...calls.map(lettersAndDigits), ...withoutMessages(trace, others, given)]);
  return (value) => {
    const searched = value.replace(/^https?:\/\/(?:www\.)?|^www\./i, '');
    // Most values are passed as the user wrote them. In other scripts, the case of a letter depends on its neighbours.
    if (isAscii(searched) && calls.some((text) => text.includes(searched))) return true;
    const needle = lettersAndDigits(searched);
    return plain().some((text) => text.includes(needle));
  };
}

const HAS_CALLS_ONLY: ReadonlySet<string> = new Set(['llm', 'message', 'tool']);
/** A message that is hardly longer than a value may be nothing but the value. */
const MIN_MESSAGE_REST = 8;

/** Texts of nodes and agents repeat the conversation. */
function withoutMessages(trace: Trace, texts: readonly string[], given: readonly GivenValue[]): string[] {
  if (texts.length === 0) return [];
  const values = given.map(({ value }) => lettersAndDigits(value));
  const messages = conversation(trace)
    .map(({ text }) => lettersAndDigits(text))
    .filter((text) => text.length >= MIN_MESSAGE_REST && !values.some((value) => isNearly(value, text)));
  return texts.map((text) => messages.reduce((left, message) => left.replaceAll(message, ' '), lettersAndDigits(text)));
}

function isNearly(value: string, message: string): boolean {
  return message.includes(value) && message.length < value.length + MIN_MESSAGE_REST;
}

function useTexts({ arguments: args, resultText, failure }: ToolUse): string[] {
  return [typeof args === 'string' ? args : JSON.stringify(args), resultText, failure?.message ?? ''];
}

/** Arguments, results, documents and instructions of a step. */
function callTexts({ kind, input, output, tool, documents, inputMessages, outputMessages }: Step): string[] {
  const call = tool === null ? [] : [JSON.stringify(tool.arguments), JSON.stringify(tool.result)];
  return [
    ...(kind === 'tool' ? [input, output] : []),
    ...call,
    ...documents.map(({ content }) => content),
    ...[...inputMessages, ...outputMessages].flatMap(messageTexts),
  ];
}

/** Instructions and results of a message, and the arguments of the calls that it requests. */
function messageTexts({ role, content, toolCalls }: Message): string[] {
  const requested = toolCalls.map((call) => JSON.stringify(call.arguments));
  return role === 'user' || role === 'assistant' ? requested : [content, ...requested];
}
