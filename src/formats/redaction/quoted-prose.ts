import type { SecretName } from './secret-names.ts';

/** Names in code: a path with two segments, a reference, an option, a call, a member of an object, a variable. */
const CODE_NAMES: readonly RegExp[] = [
  /^(?:~|\.{1,2})?(?:\/\.?[A-Za-z][A-Za-z_.-]{0,40}\d{0,3}){2,12}$/,
  /^[a-z][a-z0-9+.-]{1,16}:\/\/[^\s@]*$/,
  /^--?[a-z]{1,20}(?:-[a-z]{1,20}){0,6}$/,
  /^[A-Za-z_$][A-Za-z_$.]{2,80}\d{0,2}\(\)?$/,
  /^[A-Za-z_$]{1,60}(?:\??\.[A-Za-z_$]{1,60}){1,8}$/,
  /^[A-Z]{1,40}(?:_[A-Z]{1,40}){1,8}(?:_\d{1,2})?$/,
  /^\[[A-Za-z _-]{1,60}\]$/,
];
/** Terms that contain a number. */
const NUMBERED_TERM = /^(?:oauth[12]|ed25519|sha\d{1,3}|md5|aes\d{3}|base(?:32|64)|utf8|v\d)$/i;

/** Phrases that a sentence may quote after the name of a password; any other quotation is taken for the password. */
const PASSWORD_PROSE: readonly RegExp[] = [
  /^(?:forgot|forgotten|expired|invalid|incorrect|wrong)$/i,
  /^at (?:least|most) \d{1,3} (?:characters|letters|digits)(?:,? (?:and )?\d{1,2} [a-z]{1,12}){0,4}\.?$/i,
];
/** Code in backticks that names the password: `DB_PASSWORD`, `config.db.password`, `read_password()`. */
const PASSWORD_NAME =
  /^(?:[A-Z]{1,40}_(?:[A-Z]{1,40}_){0,6}(?:PASSWORD|PASS|PWD|SECRET)|(?:[A-Za-z]{1,40}\.){1,6}(?:password|passwd|pwd|secret)|[a-z]{2,20}_?[Pp]assword\(\)|(?:\/[a-z][a-z_-]{0,40}){2,8})$/;

/** Whether a quotation is part of a sentence that continues after the closing quote. */
export function isWithinSentence(text: string, end: number): boolean {
  return /^["'`] {1,2}[A-Za-z(]/.test(text.slice(end, end + 4));
}

/** Whether a word or phrase in quotes after the name of a secret is a secret itself. In doubt it is. */
export function looksLikeQuotedSecret(content: string, { kind }: SecretName, quote: string): boolean {
  const text = content.trim();
  if (kind === 'password')
    return !PASSWORD_PROSE.some((form) => form.test(text)) && !(quote === '`' && PASSWORD_NAME.test(text));
  return !text.split(/\s+/).every(isWordOrName);
}

function isWordOrName(word: string): boolean {
  if (CODE_NAMES.some((form) => form.test(word))) return true;
  return word.split(/[-_./,:]/).every((part) => isWord(part) || NUMBERED_TERM.test(part));
}

/** Whether it consists of letters only, like a word. */
function isWord(part: string): boolean {
  return /^(?:[A-Z]?[a-z]*|[A-Z]+s?|(?:[A-Z][a-z]+)+|[a-z]+[A-Z][a-z]+)[!?]?$/.test(part);
}
