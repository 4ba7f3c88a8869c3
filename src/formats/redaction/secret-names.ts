import type { RedactionKind } from './kinds.ts';

/**
 * Names of secrets, at the end of an attribute key or before `:` or `=` in text. Counts (`max_tokens`, `token_count`) and
 * names about secrets (`password_policy`) end differently and never match.
 */
const KEY_OWNERS =
  'api|access|secret|private|signing|encryption|account|subscription|auth|master|storage|shared|deploy|service[_-]?role';
const TOKEN_OWNERS =
  'access|refresh|auth|id|session|bearer|api|bot|csrf|xsrf|security|vault|sas|identity|bot|deploy|runner|registration|job|personal[_-]?access';
export const SECRET_NAME = [
  'pass(?:word|wd|phrase|code)',
  'pwd',
  'secret(?:[_-]?access)?[_-]?key',
  'secret',
  `(?:${KEY_OWNERS})[_-]?key`,
  `(?:${TOKEN_OWNERS})?[_-]?token`,
  'authorization',
  'cookie',
  'credentials?',
  'connection[_-]?string',
  '(?<![A-Za-z0-9])_?auth',
].join('|');

const NAMED_KEY = new RegExp(`(?:^|[^a-z])(${SECRET_NAME})(?:[._]\\d{1,4})?$`);

export interface SecretName {
  kind: RedactionKind;
  /** Whether the value must look like a credential, because a bare `token` may be a word of a stream. */
  isDoubtful: boolean;
  /** Whether the value must not be a plain word, because the name also occurs before a colon in prose. */
  isLoose: boolean;
}

/** Meaning of a lower-case name for its value; `name` matches `SECRET_NAME`. */
export function secretNamed(name: string): SecretName {
  return {
    kind: kindNamed(name),
    isDoubtful: /^(?:[_-]?token|_?auth)$/.test(name),
    isLoose: /^credentials?$/.test(name),
  };
}

function kindNamed(name: string): RedactionKind {
  if (/^pass|^pwd/.test(name)) return 'password';
  if (name === 'cookie') return 'cookie';
  if (name.startsWith('connection')) return 'connection_string';
  if (name === 'authorization') return 'bearer';
  return /^(?:api|access|account|subscription)[_-]?key$/.test(name) ? 'api_key' : 'secret';
}

/** Meaning of an attribute or member key, such as `http.request.header.x-api-key`, for its value; null if none. */
export function secretOfKey(key: string): SecretName | null {
  if (key.length > 256) return null;
  const words = key.replace(/([a-z0-9])(?=[A-Z])/g, '$1_').toLowerCase();
  const name = NAMED_KEY.exec(words)?.[1];
  return name === undefined ? null : secretNamed(name);
}

const PLACEHOLDER_WORDS = new Set(
  (
    'null none nil undefined true false string str text number integer boolean required optional missing empty hidden ' +
    'masked redacted password secret token bearer basic digest include same-origin omit changeme example value any'
  ).split(' '),
);

/** `PUT_API_KEY_HERE`, `[Your-OpenAI-API-Key]`, `insert the token`: without digits, and an instruction to the reader. */
const INSTRUCTION =
  /^[[*<]{0,4}(?:put|add|insert|enter|replace|paste|your)[a-z_ -]{0,60}(?:here|key|token|secret)[\]*>]{0,4}$/i;

/** `sk-xxxxxxxx`, `ghp_********`. */
const SHORTENED = /^[A-Za-z]{0,8}[-_]?(?:x{6,64}|X{6,64}|\*{4,64})$/;
/** `Please enter your password`, `Wrong password.`: an instruction or an error message about the value. */
const LABELS: readonly RegExp[] = [
  /^(?:please )?(?:enter|type|choose|provide|confirm|repeat|reset|change|forgot|forgotten)(?: (?:an?|the|your|my|this|new|old|current)){0,2}(?: (?:admin|strong|api|access|auth|secret))? (?:pass(?:word|phrase|code)|key|token|credential)s?[.!?]?$/i,
  /^(?:wrong|invalid|incorrect|missing|(?:your )?(?:new|old|current)) (?:pass(?:word|phrase|code)|(?:api|access|secret) key|(?:api|access|auth) token|credentials)[.!?]?$/i,
];

/** Whether a value is a placeholder for a secret: `***`, `<token>`, `${API_KEY}`, `null`, `your-key`. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  if (text === '' || /^(?:[*•.#_-]+|x{3,})$/i.test(text) || /^(?:[$%<{]|=\{\{)/.test(text)) return true;
  if (SHORTENED.test(text) || LABELS.some((label) => label.test(text))) return true;
  if (INSTRUCTION.test(text) || /^[\w-]{0,8}(?:\.{3}|…)$/.test(text)) return true;
  return /^your[-_ ]/i.test(text) || PLACEHOLDER_WORDS.has(text.toLowerCase().replace(/^\[([a-z]+)\]$/, '$1'));
}

/** Whether a value looks like words: letters only, also joined by `-`, `_`, `.` or `/`, and amounts such as `10-digit`. */
export function looksLikeWord(value: string): boolean {
  return value
    .split(/[-_./,:]/)
    .every((piece) => /^(?:[A-Z]?[a-z]*|[A-Z]+s?|\d{0,4}|(?:[A-Z][a-z]+)+|[a-z]+[A-Z][a-z]+)[.,!?]?$/.test(piece));
}

/** Whether a value looks generated: long, without spaces, with letters and digits. */
export function looksLikeCredential(value: string): boolean {
  return value.length >= 16 && !/[^A-Za-z0-9._~+/=|:-]/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** RFC 7617 credentials are the base64 of `user:password`. */
export function isUserAndPassword(value: string): boolean {
  const decoded = Buffer.from(value.slice(0, 512), 'base64').toString('latin1');
  return /^[\x20-\x7e]{3,512}$/.test(decoded) && decoded.includes(':');
}
