import { characterSet } from './long-runs.ts';
import type { NearbyStarts } from './nearby-search.ts';
import type { Secret } from './pattern.ts';
import { looksLikeQuotedSecret } from './quoted-prose.ts';
import { isPlaceholder, looksLikeWord, secretNamed } from './secret-names.ts';

const NAME_CHARACTERS = characterSet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-');

/**
 * A secret in a sentence: `the password is …`, `my API key was changed to …`, `use the password …`. The value is quoted, or
 * it is one word that prose would not contain there.
 */
export const STATED_SECRET =
  /(?<![A-Za-z0-9_-])(pass(?:word|code|phrase|wd)|pwd|secret(?: key)?|api[ _-]?key|access[ _-](?:key|token|code)|(?:auth(?:entication)?|api|bearer|bot|session|refresh) token|private key|token)(?:s? (?:for|of|to) [^\n.:!?"'`]{1,60})?(?:,? (?:now )?(?:is(?: now| set to)?|(?:was|has been) (?:set|changed|reset|updated) to|was|will be|set to|changed to|reset to|should be|equals))?(?: |: ?|:?\n)(["'`“‘]{0,3})([^\s"'`“”‘’\\]{4,512})/iy;

/** The end of the name of the secret, and the following text. */
export const STATED_NAMES: NearbyStarts = {
  core: /(?:pass(?:word|code|phrase|wd)|pwd|secret|key|token|access[ _-]code)(?:s? |[,:\n])/gi,
  reach: 16,
  isStart: (text, at) => at === 0 || NAME_CHARACTERS[text.charCodeAt(at - 1)] !== 1,
};

const LINK = / (?:is|was|be|to|equals)(?: now)?(?: |: ?|:?\n)$/i;

/** Position of the value; null if the sentence has another meaning. */
export function locateStated(match: RegExpExecArray): Secret | null {
  const [whole, name, quote, word] = match as unknown as [string, string, string, string];
  const value = word.replace(/[.,:;!?)\]}>]{1,8}$/, '');
  if (value.length < 4 || isPlaceholder(value)) return null;
  const lead = whole.slice(0, whole.length - quote.length - word.length);
  const isLinked = LINK.test(lead);
  if (!isSecretThere(value, quote !== '', isLinked)) return null;
  const secret = secretNamed(name.toLowerCase().replace(' ', '_'));
  if (quote !== '' && !isLinked && !looksLikeQuotedSecret(value, secret, quote)) return null;
  const start = match.index + whole.length - word.length;
  return { start, end: start + value.length, kind: secret.kind };
}

/** After "is" one digit or symbol among the letters is enough; directly after the name, more are required. */
function isSecretThere(value: string, isQuoted: boolean, isLinked: boolean): boolean {
  if (/^(?:https?:|[/~.<[]|--?[a-z])/i.test(value) || /[(){}=]|:\/\//.test(value) || isNumberOrDate(value))
    return false;
  if (!isMixedWord(value, isQuoted, isLinked) && looksLikeWord(value)) return false;
  // `apiKey` names a field, `Token Splitter1` a step.
  if (/^[A-Za-z]{1,60}(?:Key|Token|Secret|Password)$/.test(value)) return false;
  if (!isLinked && !isQuoted && /^[A-Z][a-z]{1,40}\d$/.test(value)) return false;
  if (isQuoted || isLinked) return true;
  return value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/[-_/.:]/.test(value);
}

/** Whether the parts of a value are words and numbers that prose would not join: `prod_2024`. `10-digit` is an amount. */
function isMixedWord(value: string, isQuoted: boolean, isLinked: boolean): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || /^\d{1,4}-[A-Za-z]+$/.test(value)) return false;
  return isQuoted || (isLinked && value.includes('_'));
}

function isNumberOrDate(value: string): boolean {
  return /^[\d.,:/%$€-]+$/.test(value) && value.replace(/\D/g, '').length < 6;
}
