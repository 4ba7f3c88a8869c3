import type { RedactionKind } from './kinds.ts';

/**
 * Names whose value is a secret, as they end an attribute key or stand before `:` or `=` in text.
 * Counts (`max_tokens`, `token_count`) and names about secrets (`password_policy`) end otherwise and never match.
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
  /** A bare `token` may be a word of a stream: its value must look like a credential. */
  isDoubtful: boolean;
  /** Prose has it before a colon too: its value must not be a plain word. */
  isLoose: boolean;
}

/** What a name in lower case says about its value; `name` is one that `SECRET_NAME` matches. */
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

/** What an attribute or member key such as `http.request.header.x-api-key` says about its value; null for nothing. */
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

/** `PUT_API_KEY_HERE`, `[Your-OpenAI-API-Key]`, `insert the token`: no digits, and an instruction to the reader. */
const INSTRUCTION =
  /^[[*<]{0,4}(?:put|add|insert|enter|replace|paste|your)[a-z_ -]{0,60}(?:here|key|token|secret)[\]*>]{0,4}$/i;

/** `sk-xxxxxxxx`, `ghp_********`. */
const SHORTENED = /^[A-Za-z]{0,8}[-_]?(?:x{6,64}|X{6,64}|\*{4,64})$/;
/** `Please enter your password`, `Wrong password.`: an instruction or a complaint that names what belongs there. */
const LABELS: readonly RegExp[] = [
  /^(?:please )?(?:enter|type|choose|provide|confirm|repeat|reset|change|forgot|forgotten)(?: (?:an?|the|your|my|this|new|old|current)){0,2}(?: (?:admin|strong|api|access|auth|secret))? (?:pass(?:word|phrase|code)|key|token|credential)s?[.!?]?$/i,
  /^(?:wrong|invalid|incorrect|missing|(?:your )?(?:new|old|current)) (?:pass(?:word|phrase|code)|(?:api|access|secret) key|(?:api|access|auth) token|credentials)[.!?]?$/i,
];

/** Whether a value stands for a secret rather than being one: `***`, `<token>`, `${API_KEY}`, `null`, `your-key`. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  if (text === '' || /^(?:[*•.#_-]+|x{3,})$/i.test(text) || /^(?:[$%<{]|=\{\{)/.test(text)) return true;
  if (SHORTENED.test(text) || LABELS.some((label) => label.test(text))) return true;
  if (INSTRUCTION.test(text) || /^[\w-]{0,8}(?:\.{3}|…)$/.test(text)) return true;
  return /^your[-_ ]/i.test(text) || PLACEHOLDER_WORDS.has(text.toLowerCase().replace(/^\[([a-z]+)\]$/, '$1'));
}

/** Letters only, as words are written; also several joined by `-`, `_`, `.` or `/`, and amounts such as `10-digit`. */
export function looksLikeWord(value: string): boolean {
  return value
    .split(/[-_./,:]/)
    .every((piece) => /^(?:[A-Z]?[a-z]*|[A-Z]+s?|\d{0,4}|(?:[A-Z][a-z]+)+|[a-z]+[A-Z][a-z]+)[.,!?]?$/.test(piece));
}

/** Long, of one piece, with letters and digits: what a machine made. */
export function looksLikeCredential(value: string): boolean {
  return value.length >= 16 && !/[^A-Za-z0-9._~+/=|:-]/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** RFC 7617 credentials are the base64 of `user:password`. */
export function isUserAndPassword(value: string): boolean {
  const decoded = Buffer.from(value.slice(0, 512), 'base64').toString('latin1');
  return /^[\x20-\x7e]{3,512}$/.test(decoded) && decoded.includes(':');
}
