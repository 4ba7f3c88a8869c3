import { isJsonObject, type Json } from '../../core/json.ts';

/** One text inside the arguments of a call, with its path of names. */
export interface Leaf {
  path: readonly string[];
  text: string;
}

const MAX_DEPTH = 20;

/** Every text in the arguments. Deeply nested values are one text of JSON. */
export function leavesOf(value: Json, path: readonly string[] = []): Leaf[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (path.length >= MAX_DEPTH) return [{ path, text: JSON.stringify(value) }];
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, [...path, '']));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner ?? null, [...path, name]));
}

/** Names of arguments, headers, form fields and options for credentials. */
const CREDENTIAL_NAME =
  /pass(?:word|wd|phrase|code)?$|pwd$|token|secret|api[_-]?key|access[_-]?key|auth|credential|headers?$|cookie|private[_-]?key|connection|dsn$|^key$|login/i;
/** Number of characters before a secret that describe it. */
const CONTEXT_CHARACTERS = 200;

/**
 * Whether a secret is at a place for credentials: under an argument with such a name, in a header, before the host of an
 * address, in an option or variable of a command, or in a named field of a form or JSON text.
 */
export function isCredentialPlace({ path, text }: Leaf, at: number, end: number, isCommand: boolean): boolean {
  if (path.some((name) => CREDENTIAL_NAME.test(name))) return true;
  const before = text.slice(Math.max(0, at - CONTEXT_CHARACTERS), at);
  if (text[end] === '@' && /\/\/[^\s/@]{0,120}$/.test(before)) return true;
  const field = /["']([\w.-]{1,60})\\?["']\s?:\s?\\?["']$/.exec(before)?.[1];
  if (field !== undefined && CREDENTIAL_NAME.test(field)) return true;
  if (isCommand) return COMMAND_PLACES.some((place) => place.test(before)) || isNamedCredential(HEADER_WORD, before);
  return FORM.test(text) && isNamedCredential(FORM_FIELD, before);
}

const COMMAND_PLACES: readonly RegExp[] = [
  // A header: `-H "X-Api-Key: `, `--header=Authorization: Bearer `.
  /(?:-H|--header)[ =]{0,3}["']?[\w-]{1,60}: ?(?:[\w-]{1,20} )?$/,
  // User and password, a bearer token, a cookie.
  /\s(?:-u|--user|--proxy-user|--oauth2-bearer|-b|--cookie)[ =]{0,3}["']?[^\s"']{0,80}$/,
  // A variable of the command or of the shell.
  /(?:^|[\s;&|(])[A-Za-z_]\w{0,60}=["']?$/,
  /--?[\w-]{0,30}(?:token|password|secret|key|auth)[ =]["']?$/i,
];
/** `X-Api-Key:` as a whole word. */
const HEADER_WORD = /(?:^|[\s"'])([A-Za-z][\w-]{1,60}): ?(?:[\w-]{1,20} )?$/;
const FORM = /^[\w.[\]-]{1,60}=[^&\s]{0,4096}(?:&[\w.[\]-]{1,60}=[^&\s]{0,4096}){0,60}$/;
const FORM_FIELD = /(?:^|&)([\w.[\]-]{1,60})=$/;

function isNamedCredential(pattern: RegExp, before: string): boolean {
  const name = pattern.exec(before)?.[1];
  return name !== undefined && CREDENTIAL_NAME.test(name);
}

/** The address up to the end of the secret, if the secret is in its path or query; else null. */
export function addressUpTo(text: string, at: number, end: number): string | null {
  const lowest = Math.max(0, at - 400);
  const before = text.slice(lowest, at);
  const sign = before.lastIndexOf('://');
  if (sign === -1 || /[\s"'<>]/.test(before.slice(sign)) || !/[/?&=]/.test(before.slice(sign + 3))) return null;
  const scheme = /[a-z][a-z0-9+.-]{0,12}$/i.exec(before.slice(0, sign))?.[0] ?? '';
  return text.slice(lowest + sign - scheme.length, end);
}

const HOST = /https?:\/\/(?:[^\s/@"'<>`]{0,120}@)?([\w-]{1,63}(?:\.[\w-]{1,63}){0,6})/gi;
const MAIL_HOST = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/;
const MAIL_NAME = /[\w.+-]{1,64}$/;
const MAX_READ_LENGTH = 20_000;

/** Hosts and e-mail addresses in the arguments of a call, in lower case. */
export function destinationsIn(text: string): string[] {
  const read = text.slice(0, MAX_READ_LENGTH);
  const hosts = Array.from(read.matchAll(HOST), ([, host]) => host!.toLowerCase());
  return [...new Set([...hosts, ...mailAddressesIn(read)])];
}

function mailAddressesIn(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const name = MAIL_NAME.exec(text.slice(Math.max(0, at - 64), at))?.[0];
    const host = MAIL_HOST.exec(text.slice(at + 1, at + 321))?.[0];
    if (name !== undefined && host !== undefined) found.push(`${name}@${host}`.toLowerCase());
  }
  return found;
}
