import { parseJson } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { cut } from '../_kit/text.ts';
import { codingWork } from '../_readings/conduct/coding-work.ts';
import { agentTurns, type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';
import type { FoundFlaw } from './flaw.ts';

/** An instruction to the agent: a sentence that starts with the verb, or that is about "you" or "your answer". */
const ASKS_JSON =
  /(?:(?:^|[.!?:;\n])[\s>*#-]{0,6}(?:please |then |always |only |now )?(?:respond|reply|answer|output|return|produce|format)|\b(?:please|you (?:must|should|shall|will|have to|need to|are to)(?: only| always)?) (?:respond|reply|answer|output|return|produce|format)|\byour (?:entire |whole |final |only )?(?:response|reply|answer|output)\b)[^.!?\n]{0,60}\bJSON\b(?! (?:file|schema|lines|path|parser|api|endpoint|column|field))|(?:^|[.!?:;\n]\s{0,4})(?:valid |strictly )?JSON only\b|\b(?:nur|sólo|solo|uniquement|apenas) (?:valid(?:es)? )?JSON\b|(?:以|用|仅).{0,6}JSON.{0,6}(?:格式|输出|返回|回答)|JSON(?:形式|で)(?:のみ)?.{0,6}(?:回答|出力|返)/iu;
const ASKS_NUMBER =
  /\b(?:only (?:the|a) (?:single )?number|just (?:the|a) number|(?:answer|respond|reply) with (?:only )?(?:a|the|one) (?:single )?(?:number|integer)|nur (?:mit )?(?:der|die|eine?r?) Zahl|sólo el número|uniquement le nombre|apenas o número|只(?:回答|输出|返回).{0,4}数字|数字のみ)/iu;

/** The request must be the run's own task, not a text within it. */
const MAX_TASK_LENGTH = 8000;

export function formatFlaws(trace: Trace): FoundFlaw[] {
  const turns = agentTurns(trace);
  const answer = turns.at(-1);
  const text = (trace.finalOutput ?? answer?.text ?? '').trim();
  if (answer === undefined || answer.calls.length > 0 || text === '' || !hasKnownEnd(trace)) return [];
  if (answer.text.trim() !== text || text.split(/\s+/).length < 2 || isCodeWork(trace)) return [];
  const request = requestedFormat(trace);
  const begins = /^(?:```json\s{0,4})?(?:\{\s{0,8}"|\[\s{0,8}\{\s{0,8}")/.test(text);
  if (!/\p{N}/u.test(text) && ASKS_NUMBER.test(request) && !isRefusal(text)) return [notNumber(trace, answer, text)];
  const json = jsonIn(text);
  if (begins && json === 'none') return [brokenJson(trace, answer, text)];
  if (/json/iu.test(request) && ASKS_JSON.test(request) && json !== 'whole' && !isRefusal(text))
    return [notJson(trace, answer, text, json)];
  return [];
}

/** Whether the run is about issues or code, which mention JSON without requesting it. */
function isCodeWork(trace: Trace): boolean {
  return codingWork(trace).some(({ use, kind }) => use.command !== null || kind === 'edit');
}

/** The texts in which a user can have requested a format. */
export function requestedFormat(trace: Trace): string {
  const users = conversation(trace).filter(({ by }) => by === 'user');
  const request = [trace.task ?? '', users.at(-1)?.text ?? ''];
  return [...new Set(request)].filter((text) => text.length <= MAX_TASK_LENGTH).join('\n');
}

/** Whether the answer is a refusal, which is not a format error. */
function isRefusal(text: string): boolean {
  return (
    text.length < 400 &&
    /\b(?:sorry|cannot|can[’']t|unable|need more|clarify|leider|lo siento|désolé)\b|[?？]\s{0,3}$|抱歉|申し訳/i.test(
      text,
    )
  );
}

/** `whole`: only JSON, perhaps in a code fence. `part`: JSON within other text. */
function jsonIn(text: string): 'whole' | 'part' | 'none' {
  const bare = text.replace(/^```[a-zA-Z]{0,10}\s{0,4}/, '').replace(/\s{0,4}```\s{0,4}$/, '');
  if (parseJson(bare) !== undefined) return 'whole';
  const fenced = text.split('```').filter((_, nth) => nth % 2 === 1);
  if (fenced.some((block) => parseJson(block.replace(/^[a-zA-Z]{0,10}\n/, '')) !== undefined)) return 'part';
  const [start, end] = [text.search(/[[{]/), Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))];
  return start !== -1 && end > start && parseJson(text.slice(start, end + 1)) !== undefined ? 'part' : 'none';
}

function notJson(trace: Trace, turn: ConversationTurn, text: string, json: 'part' | 'none'): FoundFlaw {
  const name = nameOf(trace, turn);
  return {
    ...at(turn, text),
    subtype: 'not_json',
    score: json === 'none' ? 0.8 : 0.5,
    explanation: `JSON was requested, and the answer of ${name} at step ${turn.step} ${json === 'none' ? 'cannot be read as JSON' : 'contains JSON inside other text'}: "${cut(text.replace(/\s+/g, ' '), 120)}"`,
    suggestedAction: `Validate the answer of ${name} and ask again with the parser's message if it is not JSON.`,
    fix: validateFix(name, 'JSON.parse(answer)'),
    key: 'json',
  };
}

function brokenJson(trace: Trace, turn: ConversationTurn, text: string): FoundFlaw {
  const name = nameOf(trace, turn);
  const isAtLimit = trace.steps[turn.step]!.finishReasons.some((reason) => /length|max_tokens/i.test(reason));
  const open = openAtEnd(text);
  const why = isAtLimit
    ? 'it was cut off at the output limit'
    : open === null
      ? 'its syntax is wrong'
      : `it ends inside ${open === '"' ? 'a string' : open === '{' ? 'an object' : 'a list'}`;
  return {
    ...at(turn, text.slice(-200)),
    subtype: 'broken_json',
    score: isAtLimit ? 0.85 : 0.66,
    explanation: `The answer of ${name} at step ${turn.step} begins as JSON, but cannot be parsed: ${why}. It ends with "${cut(text.slice(-80).replace(/\s+/g, ' '), 80)}"`,
    suggestedAction:
      isAtLimit || open !== null
        ? `Raise the output limit of ${name}, or request less at a time.`
        : `Validate the answer of ${name} before it is passed on.`,
    fix: validateFix(name, 'JSON.parse(answer)'),
    key: 'json',
  };
}

/** The bracket or quote that the text leaves open; null if there is none. */
function openAtEnd(text: string): '"' | '{' | '[' | null {
  const open: ('{' | '[')[] = [];
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index]!;
    if (isInString) {
      if (char === '\\') index += 1;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === '{' || char === '[') open.push(char);
    else if (char === '}' || char === ']') open.pop();
  }
  return isInString ? '"' : (open.at(-1) ?? null);
}

function notNumber(trace: Trace, turn: ConversationTurn, text: string): FoundFlaw {
  const name = nameOf(trace, turn);
  return {
    ...at(turn, text),
    subtype: 'not_a_number',
    score: 0.7,
    explanation: `A number was requested, and the answer of ${name} at step ${turn.step} contains none: "${cut(text.replace(/\s+/g, ' '), 120)}"`,
    suggestedAction: `Check that the answer of ${name} is a number before it is accepted.`,
    fix: ruleFix(trace, turn.agent, {
      title: 'Give the number first',
      rule: 'When a number is requested, answer with the number and nothing else.',
      why: 'A program that parses the answer cannot read this form.',
    }),
    key: 'number',
  };
}

function at(turn: ConversationTurn, text: string) {
  return {
    steps: [turn.step] as [number],
    agent: turn.agent,
    kind: 'text' as const,
    path: 'output',
    quote: cut(text, 280),
  };
}

function nameOf(trace: Trace, turn: ConversationTurn): string {
  return turn.agent ?? trace.steps[turn.step]!.name;
}

function validateFix(name: string, check: string) {
  return checkFix('workflow_change', {
    title: 'Check the format before the answer is sent',
    target: `output of ${name}`,
    description: `Ask ${name} for structured output (a response schema) if the model supports it; parse every answer, and on failure send the parser's message back once.`,
    after: `try { ${check} } catch (error) { ask again with: "Your answer is not valid JSON: " + error.message }`,
    why: 'The receiver of the answer parses it.',
  });
}
