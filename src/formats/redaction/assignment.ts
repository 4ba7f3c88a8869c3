import type { NearbySearch } from './nearby-search.ts';
import type { Secret } from './pattern.ts';
import { isWithinSentence, looksLikeQuotedSecret } from './quoted-prose.ts';
import {
  isPlaceholder,
  isUserAndPassword,
  looksLikeCredential,
  looksLikeWord,
  SECRET_NAME,
  type SecretName,
  secretNamed,
} from './secret-names.ts';

/** `name = `, `"name": `, `--name=`, also with escaped quotes as in JSON within JSON. Code locates the value. */
export const SECRET_ASSIGNMENT = new RegExp(`(${SECRET_NAME})(\\\\{0,7}["'\`])?(\\s{0,3}(?:=>|[:=])\\s{0,3})`, 'gi');

/** The end of a name, followed by the operator. */
export const ASSIGNMENT_ENDS: NearbySearch = {
  core: /(?:pass(?:word|wd|phrase|code)|pwd|secret|key|token|auth(?:orization)?|cookie|credentials?|string)(?:\\{0,7}["'`])?\s{0,3}[:=]/gi,
  reach: 24,
  tail: 4,
};

/** The scheme before the credentials of an `Authorization` header. */
export const SCHEME = /^(?:bearer|basic|token|digest|apikey) {1,4}/i;
const MAX_VALUE_LENGTH = 4096;

interface Value {
  start: number;
  end: number;
  /** Whether the position alone marks it as a value, so that its form need not be tested. */
  isCertain: boolean;
  quote?: string;
}

/** Position of the value of a named secret; null if the value is prose, code or a placeholder. */
export function locateAssigned(match: RegExpExecArray, text: string): Secret | null {
  const [whole, name, nameQuote, sign] = match as unknown as [string, string, string | undefined, string];
  const start = match.index + whole.length;
  const secret = secretNamed(name.toLowerCase());
  const value = quotedValue(text, start) ?? bareValue(text, start, secret);
  if (value === null) return null;
  const content = text.slice(value.start, value.end);
  if (isPlaceholder(content.replace(SCHEME, '')) || content.toLowerCase() === name.toLowerCase()) return null;
  if (secret.isDoubtful && !looksLikeCredential(content) && !isUserAndPassword(content)) return null;
  if (secret.isLoose && looksLikeWord(content)) return null;
  // In "`if passwd:` and `name`" the first backtick closes a quotation.
  if (value.quote === '`' && /^\s/.test(content)) return null;
  // "Credentials: `list` them first" quotes a word.
  const isProse =
    value.quote === '`' ||
    (value.quote !== undefined && nameQuote === undefined && sign === ': ' && isWithinSentence(text, value.end));
  if (isProse && !looksLikeQuotedSecret(content, secret, value.quote!)) return null;
  // HTML's `accesskey="p"` is a key of the keyboard.
  if (secret.kind !== 'password' && content.length < 2) return null;
  const range = { start: value.start, end: value.end, kind: secret.kind };
  if (value.isCertain) return range;
  if (nameQuote !== undefined && isNumber(content)) {
    return secret.kind === 'password' || content.length >= 6 ? { ...range, quote: nameQuote } : null;
  }
  return isBareSecret(content, text.charAt(value.end), sign === '=', name) ? range : null;
}

/** The text between quotes; the closing quote has the same number of preceding backslashes as the opening one. */
function quotedValue(text: string, start: number): Value | null {
  const opening = /^(\\{0,7})["'`]/.exec(text.slice(start, start + 8));
  if (opening === null) return null;
  const from = start + opening[0].length;
  const backslashes = opening[1]!.length;
  const window = text.slice(from, from + MAX_VALUE_LENGTH);
  const quote = opening[0].at(-1)!;
  for (let at = window.indexOf(quote); at !== -1; at = window.indexOf(quote, at + 1)) {
    const before = backslashesBefore(window, at);
    const isClosing = backslashes === 0 ? before % 2 === 0 : before === backslashes;
    if (isClosing) return { start: from, end: from + at - Math.min(before, backslashes), isCertain: true, quote };
  }
  return null;
}

function backslashesBefore(text: string, at: number): number {
  let count = 0;
  while (at - count > 0 && text.charAt(at - count - 1) === '\\') count += 1;
  return count;
}

/** Headers extend to the end of their line, other values to the end of the word. */
function bareValue(text: string, start: number, secret: SecretName): Value | null {
  const window = text.slice(start, start + MAX_VALUE_LENGTH);
  const quotes = /^["'`\\]{0,8}/.exec(window)![0].length;
  const rest = window.slice(quotes);
  if (secret.kind === 'cookie') {
    const pairs = /^\w[\w.-]{0,64}=[^\r\n"'`\\]+/.exec(rest)?.[0];
    return pairs === undefined ? null : { start: start + quotes, end: start + quotes + pairs.length, isCertain: true };
  }
  const scheme = secret.kind === 'bearer' ? (/^[A-Za-z]{3,12} /.exec(rest)?.[0].length ?? 0) : 0;
  const word = /^[^\s"'`,;&<>(){}[\]|\\]{3,512}/.exec(rest.slice(scheme))?.[0];
  if (word === undefined) return null;
  const from = start + quotes + scheme;
  return { start: from, end: from + word.replace(/[.:?]{1,4}$/, '').length, isCertain: false };
}

function isNumber(text: string): boolean {
  return /^-?\d[\d.eE+-]*$/.test(text);
}

/** Unquoted, `password: see below` is prose, `password=config.secret` and `password = read()` are code. */
function isBareSecret(value: string, next: string, isTight: boolean, name: string): boolean {
  if (/^https?:/.test(value)) return false;
  if (next === '(' || next === '[' || value.length < 4) return false;
  if (/^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value)) return false;
  if (/^pwd$/i.test(name) && /^[/~.]/.test(value)) return false;
  if (isTight) return true;
  return value.length >= 5 && (/\d/.test(value) || /[!@#$%^*+]/.test(value));
}
