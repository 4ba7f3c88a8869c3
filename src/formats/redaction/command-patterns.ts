import { afterLead, type Cue, leadCue, type Pattern, type Secret } from './pattern.ts';
import { isPlaceholder, looksLikeWord } from './secret-names.ts';

/** Passwords on command lines, next to the names of options. */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

/** Number of characters before an option in which its program is searched. */
const COMMAND_LENGTH = 400;

/** `curl -u user:password`, also of wget, HTTPie and xh. */
const USER_OPTION: Pattern = {
  kind: 'password',
  needs: ['-u', '-U', '-a', '--proxy-user', '--login'],
  regex:
    /(?<![\w-])(?:-u|-U|-a|--user|--proxy-user|--auth|--login)(?:\s{1,4}|=)?["']?[^\s:"'\\$]{1,64}:([^\s"'\\$<{][^\s"'\\]{1,255})/g,
  locate: (match, text) => ofProgram(match, text, /(?:^|[\s;&|("'`/\\n])(?:curl|wget|https?|xh|ab|siege)\s/, match[1]!),
};

/** `mysql -psecret`: no space before the password. */
const TIGHT_OPTION: Pattern = {
  kind: 'password',
  needs: ['mysql', 'mariadb', 'sshpass', '7z'],
  regex: /(?<![\w-])-p["']?([^\s"'\\;|&<>$-][^\s"'\\;|&<>]{2,127})/g,
  locate: (match, text) =>
    ofProgram(
      match,
      text,
      /(?:mysql(?:dump|admin|import|show|check)?|mariadb(?:-\w{2,10})?|sshpass|7za?)(?:\.exe)?\s/,
      match[1]!,
    ),
};

/** `sshpass -p secret`, `redis-cli -a secret`, `docker login -p secret`. */
const SPACED_OPTION: Pattern = {
  kind: 'password',
  needs: ['sshpass', 'redis-cli', 'login', 'mongo', 'ldap', 'zip'],
  regex:
    /(?<![\w-])-(?:p|a|w|P)\s{1,4}(?:'([^'\n]{3,128})'|\\?"([^"\n\\]{3,128})|([^\s"'\\;|&<>$-][^\s"'\\;|&<>]{3,127}))/g,
  locate: (match, text) =>
    ofProgram(
      match,
      text,
      /(?:sshpass|redis-cli|(?:docker|podman|oras|helm registry|az|oc) login|mongo(?:sh|dump|restore|export|import)?|ldap(?:search|modify|add)|zip)\s/,
      match[1] ?? match[2] ?? match[3]!,
    ),
};

/** `--password secret`, `--token secret`; with `=` it is an assignment. */
const LONG_OPTION: Pattern = {
  kind: 'password',
  needs: ['--'],
  regex:
    /(?<![\w-])--(?:[a-z]{1,16}-){0,3}(?:password|passwd|passphrase|pass|token|api-key|apikey|secret|secret-key|access-key|client-secret)\s{1,4}["']?([^\s"'`\\;|&<>()[\]{}$-][^\s"'`\\;|&<>()[\]{}]{3,255})/g,
  locate: (match) => unlessWord(match, match[1]!),
};

/** `login ada password secret`, as in .netrc. */
const NETRC: Pattern = {
  kind: 'password',
  needs: ['login'],
  regex: /(?<!\w)login\s{1,4}\S{1,128}\s{1,4}(?:account\s{1,4}\S{1,128}\s{1,4})?password\s{1,4}([^\s"'`,;]{3,256})/g,
  locate: (match, text) => {
    const lead = text.slice(Math.max(0, match.index - 300), match.index);
    return /(?:machine\s+\S+|default)\s+$/.test(lead) ? ofMatch(match, match[1]!) : unlessWord(match, match[1]!);
  },
};

const HOST_CHARACTER = /[\w.*-]/;
const BEFORE_HOST = /[\s"'\\]/;
const MAX_HOST_LENGTH = 128;

/** `host:port:database:user:password`, as in .pgpass. */
const PGPASS: Pattern = {
  kind: 'password',
  regex: /:\d{2,5}:[\w.*-]{1,64}:[\w.*-]{1,64}:([^\s"':\\]{4,128})/g,
  looksWithinRejected: true,
  locate(match, text) {
    const isLastField = text[match.index + match[0].length] !== ':';
    return isLastField && endsHost(text, match.index) ? unlessWord(match, match[1]!) : null;
  },
};

/** Whether a host, which starts a text, a quoted text or a word, ends before this position. */
function endsHost(text: string, end: number): boolean {
  let start = end;
  while (start > 0 && end - start < MAX_HOST_LENGTH && HOST_CHARACTER.test(text[start - 1]!)) start--;
  return start < end && (start === 0 || BEFORE_HOST.test(text[start - 1]!));
}

/** `-passin pass:secret` of OpenSSL. */
const OPENSSL: Pattern = {
  kind: 'password',
  needs: ['pass:'],
  regex: /-pass(?:in|out)?\s{1,4}["']?pass:([^\s"'\\$][^\s"'\\]{1,127})/g,
  locate: (match) => ofMatch(match, match[1]!),
};

export const COMMAND_PATTERNS: readonly Pattern[] = [
  USER_OPTION,
  TIGHT_OPTION,
  SPACED_OPTION,
  LONG_OPTION,
  NETRC,
  PGPASS,
  OPENSSL,
];

/** Each cue starts with three characters that are rare in texts. */
export const COMMAND_CUE: Cue = leadCue(
  [
    ['rl ', /(?<=cu)rl /y],
    ['wge', /wget /y],
    ['hpa', /(?<=ss)hpass /y],
    ['ysq', /(?<=m)ysql/y],
    ['iad', /(?<=mar)iadb/y],
    ['s-c', /(?<=redi)s-cli /y],
    ['pse', /(?<=lda)psearch /y],
    ['ngo', /(?<=mo)ngo/y],
    ['gin', /(?<=\slo)gin /y],
    ['-pa', /-pass(?:in|out)? /y],
    [['-', '-', LETTERS], /--[a-z-]{0,24}(?:pass|token|key|secret)/y],
    [[DIGITS, ':', null], /\d:[\w.*-]{1,64}:[\w.*-]{1,64}:\S/y],
  ],
  COMMAND_PATTERNS,
);

function ofProgram(match: RegExpExecArray, text: string, program: RegExp, value: string): Secret | null {
  const before = text.slice(Math.max(0, match.index - COMMAND_LENGTH), match.index);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  // A line that ends in a backslash continues on the next one.
  const command = /\\\s*\n/.test(before.slice(-200)) ? before : line;
  return program.test(command) ? ofMatch(match, value) : null;
}

function ofMatch(match: RegExpExecArray, value: string): Secret | null {
  if (isPlaceholder(value) || /^[A-Z][A-Z_]+$/.test(value)) return null;
  const lead = match[0].lastIndexOf(value);
  return { ...afterLead(match, lead), end: match.index + lead + value.length };
}

function unlessWord(match: RegExpExecArray, value: string): Secret | null {
  return looksLikeWord(value) ? null : ofMatch(match, value);
}
