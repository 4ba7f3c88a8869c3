const NAME = /[\w.+-]$/;
const HOST = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/;
const MAX_NAME_LENGTH = 64;
const MAX_HOST_LENGTH = 254;

/** E-mail addresses in order, expanded from each `@`. This is linear; a single regular expression would not be. */
export function emailsIn(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > 0 && at - start < MAX_NAME_LENGTH && NAME.test(text[start - 1]!)) start -= 1;
    const host = HOST.exec(text.slice(at + 1, at + 1 + MAX_HOST_LENGTH))?.[0];
    if (start < at && host !== undefined) found.push(`${text.slice(start, at)}@${host}`);
  }
  return found;
}
