import type { ToolUse } from '../_readings/calls/calls.ts';
import { classifyFailure } from '../_readings/calls/failure-class.ts';

/** Predicates of a rule that forbids a request, or of a state of the record that does not allow it. */
const FORBIDS =
  /\b(?:can ?not be|can['’]?t be|may not be|must (?:not )?be|(?:is|are|was|were) (?:already|too|no longer|not (?:enough|sufficient|eligible|refundable|allowed|permitted|yet))|not (?:enough|sufficient|eligible|refundable|available (?:on|at|for|from|until|before|after))|insufficient|only \S.{0,60} (?:can|may)\b|exceeds?|already (?:been )?\w{3,20}ed|darf nicht|dürfen nicht|kann nicht \S{1,30} werden|können nicht \S{1,30} werden|nicht (?:genug|ausreichend|erlaubt|zulässig)|bereits \S{3,30}t|no se puede|no está permitid[oa]|insuficiente|ne peut (?:pas|plus) être|ne peuvent (?:pas|plus) être|déjà|insuffisant\p{L}{0,2}|non può essere|non possono essere|não pode ser)(?!\p{L})|不能|できません|할 수 없/iu;
/** Signs of code, a path or a status. A rule is a sentence. */
const TECHNICAL = /[{}<>\\=`]|\w\(|::|\/\w|\b[45]\d\d\b(?! \p{L})|\b\w+(?:Error|Exception)\b/u;
/** Names of errors that say nothing about the cause. */
const GENERIC_CODE = /^(?:|error|exception|(?:tool|business|domain|validation|rule)_?(?:error|exception))$/i;
const MAX_CHARACTERS = 300;
const PREFIX = /^\s{0,8}(?:error|fehler|erreur)\s{0,2}[:：]\s{0,4}/i;
const MIN_STEM = 4;

/**
 * Whether a call failed because of a rule of the business: the message is a sentence that forbids the request, and it is about
 * a thing that the call names. The tool works.
 */
export function isBusinessRule({ failure, name, argumentsText }: ToolUse): boolean {
  if (failure === null || failure.message.length > MAX_CHARACTERS || classifyFailure(failure) !== 'other') return false;
  if (!GENERIC_CODE.test(failure.code)) return false;
  const message = failure.message.replace(PREFIX, '');
  if (!FORBIDS.test(message) || TECHNICAL.test(message)) return false;
  const named = `${name} ${argumentsText}`.toLowerCase();
  return (message.toLowerCase().match(/\p{L}{4,30}/gu) ?? []).some((word) => named.includes(stemOf(word)));
}

/** Without the ending of a plural. */
function stemOf(word: string): string {
  return word.length > MIN_STEM && word.endsWith('s') ? word.slice(0, -1) : word;
}
