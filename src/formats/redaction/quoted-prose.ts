import { looksLikeCredential, looksLikeWord, type SecretName } from './secret-names.ts';

/** What a sentence quotes: a path, an address, an option, a call, a variable, a member of an object. */
const NAMED_THING =
  /^(?:[~.]{0,2}\/|[a-z][a-z0-9+.-]{1,16}:\/\/|--?[a-z]|[$%<{[(])|\(\)?$|^[A-Za-z_$][\w$]{0,60}(?:\??\.[A-Za-z_$][\w$]{0,60}){1,8}$|^[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}$/;
/** `oauth2`, `sha256`, `step-2`: a term with a number. */
const NUMBERED_TERM = /^[A-Za-z]{2,40}\d{1,5}$/;

/** Whether a quotation is part of a sentence: the sentence goes on behind the closing quote. */
export function isWithinSentence(text: string, end: number): boolean {
  return /^["'`] {1,2}[A-Za-z(]/.test(text.slice(end, end + 4));
}

/** Whether a word or phrase that prose quotes behind the name of a secret is a secret itself. */
export function looksLikeQuotedSecret(content: string, { kind }: SecretName, name: string): boolean {
  if (/\s/.test(content.trim())) return /phrase/i.test(name) || content.split(/\s+/).some(looksLikeCredential);
  if (looksLikeWord(content) || NAMED_THING.test(content)) return false;
  return (
    kind === 'password' || !content.split(/[-_./,:]/).every((part) => looksLikeWord(part) || NUMBERED_TERM.test(part))
  );
}
