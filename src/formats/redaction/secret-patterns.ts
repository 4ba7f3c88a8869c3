import { locateAssigned, SECRET_ASSIGNMENT } from './assignment.ts';
import { COMMAND_CUE, COMMAND_PATTERNS } from './command-patterns.ts';
import { findKeys, hasKey, isIssued } from './key-finder.ts';
import { TAIL_SHAPES, WORD_START } from './key-shapes.ts';
import { afterLead, type Cue, type Pattern, regexCue, type Secret, textCue } from './pattern.ts';
import { locateSaid, SAID_SECRET } from './said-secret.ts';
import { isUserAndPassword } from './secret-names.ts';

const PRIVATE_KEY: Pattern = {
  kind: 'private_key',
  regex:
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,20000}(?:-----END [A-Z0-9 ]{0,40}-----)?/g,
  locate: locateKeyBlock,
};
const AUTHORIZATION: Pattern = {
  kind: 'bearer',
  regex: /(?<![A-Za-z])(bearer|basic)(\s{1,4})([A-Za-z0-9._~+/=-]{8,})/gi,
  locate: locateAuthorization,
};
/** The rest of a block whose beginning was cut off. */
const PRIVATE_KEY_END: Pattern = {
  kind: 'private_key',
  regex: /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g,
  locate: locateKeyEnd,
};
const PUTTY_KEY: Pattern = {
  kind: 'private_key',
  regex: /Private-Lines: \d{1,4}\s{1,4}([A-Za-z0-9+/=\s\\]{16,20000})/g,
  locate: (match) => afterLead(match, match[0].indexOf(match[1]!)),
};
/** Signatures of Azure (SAS), AWS and Google in an address give access to what it names. */
const SIGNED_QUERY: Pattern = {
  kind: 'url_credentials',
  regex: /(?:[?&;]sig(?:nature)?|x-(?:amz|goog)-signature)(?:=|%3D)([A-Za-z0-9%+/_-]{32,512}={0,2})/gi,
  locate: (match) => afterLead(match, match[0].length - match[1]!.length),
};
const COOKIE_PAIR: Pattern = {
  kind: 'cookie',
  regex:
    /(?<![A-Za-z])(?:[A-Za-z]{0,12}SESS(?:ION)?_?ID|[a-z]{0,24}_session|connect\.sid|\.?AspNet[\w.]{0,40})=([A-Za-z0-9%._+/=-]{20,4096})/gi,
  locate: (match) => (/\d/.test(match[1]!) ? afterLead(match, match[0].length - match[1]!.length) : null),
};
const PROSE: Pattern = {
  kind: 'secret',
  otherKinds: ['password', 'api_key'],
  regex: SAID_SECRET,
  locate: locateSaid,
};
const URL_USER: Pattern = {
  kind: 'url_credentials',
  otherKinds: ['connection_string'],
  regex: /:\/\/[^\s:@/?#"'<>\\[\]]{0,128}:([^\s/"'<>\\]{1,256})@(?=[\w.[-])/g,
  locate: locatePassword,
};
const DATABASES =
  /(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|nats)$/i;
const ASSIGNMENT: Pattern = {
  kind: 'secret',
  otherKinds: ['password', 'cookie', 'bearer', 'api_key', 'connection_string'],
  regex: SECRET_ASSIGNMENT,
  locate: locateAssigned,
};
const KEY: Pattern = { kind: 'api_key', otherKinds: ['jwt', 'private_key'], find: findKeys };
const TAIL: Pattern = {
  kind: 'api_key',
  regex: new RegExp(`${WORD_START}(?:${TAIL_SHAPES.join('|')})`, 'g'),
  locate: (match) => (isIssued(match[0], '') ? afterLead(match, 0) : null),
};
const WEBHOOK: Pattern = {
  kind: 'api_key',
  regex:
    /(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks|webhook\.office\.com\/webhookb2)\/([\w/@-]{20,512})/g,
  locate: (match) => afterLead(match, match[0].indexOf(match[1]!)),
};

/** In this order: a private key in a field named so is a private key, and a named value is taken whole. */
export const SECRET_PATTERNS: readonly Pattern[] = [
  PRIVATE_KEY,
  PRIVATE_KEY_END,
  PUTTY_KEY,
  AUTHORIZATION,
  URL_USER,
  ...COMMAND_PATTERNS,
  SIGNED_QUERY,
  COOKIE_PAIR,
  ASSIGNMENT,
  PROSE,
  KEY,
  TAIL,
  WEBHOOK,
];

/** Several short lists of long and different beginnings are faster than one long list: the engine then skips ahead. */
export const SECRET_CUES: readonly Cue[] = [
  textCue(hasKey, [KEY]),
  // Their bodies may hold `/`, `+`, `=` or `%` early, where `hasKey` sees the end of a run.
  regexCue(
    /whsec_|glc_|sntry[su]_|f(?:o1|m[12][ar]?)_|ops_eyJ|ABSK|bedrock-|tfp_|pscale_|AT[ACB][TB]|xox[a-z]|duffel_/,
    [KEY],
  ),
  regexCue(/PRIVATE KEY|PuTTY-User-Key|Private-Lines/, [PRIVATE_KEY, PRIVATE_KEY_END, PUTTY_KEY]),
  regexCue(/atlasv1|JQQJ99|AZDO|_mmk|\dQ~/, [TAIL]),
  regexCue(/[a-f\d]-(?:us\d|[a-f\d]{8}-[a-f\d]{8}(?![\w-]))|\d:AA[\w-]{30}/, [TAIL]),
  regexCue(/:\/\/(?:[^\s/"'<>\\]{0,400}@|hooks\.slack|[a-z.]{0,16}discord|[\w.-]{0,60}webhook)|bearer\s|basic\s/i, [
    AUTHORIZATION,
    URL_USER,
    WEBHOOK,
  ]),
  regexCue(/[?&;]sig(?:nature)?=|x-(?:amz|goog)-s/i, [SIGNED_QUERY]),
  regexCue(/sess(?:ion)?_?id=|_session=|connect\.sid=|AspNet/i, [COOKIE_PAIR]),
  regexCue(/sswor|asswd|sphra|sscod|secret|authori|cookie|credent|connectionstring|connection_string/i, [
    ASSIGNMENT,
    PROSE,
  ]),
  regexCue(/(?:oken|[a-z_-]key|pwd|_auth|"auth)["'`\\]{0,8}\s{0,3}[:=]/i, [ASSIGNMENT]),
  regexCue(/(?:api|access|secret)[ _-]key|oken (?:is|was)|passw|pass ?code|passwor/i, [PROSE]),
  COMMAND_CUE,
];

/** A block whose end was cut off reaches as far as what follows looks like key material. */
function locateKeyBlock(match: RegExpExecArray): Secret {
  if (match[0].includes('-----END ')) return afterLead(match, 0);
  const head = match[0].indexOf('-----', 11) + 5;
  const body =
    /^(?:\s{0,4}[A-Z][A-Za-z]{2,12}-[A-Z][A-Za-z]{2,8}: [^\n\\]{0,80}(?:\r?\n|\\n))*[A-Za-z0-9+/=\s\\]*/.exec(
      match[0].slice(head),
    )![0];
  return { start: match.index, end: match.index + head + body.length };
}

function locateAuthorization(match: RegExpExecArray): Secret | null {
  const [, scheme, gap, value] = match as unknown as [string, string, string, string];
  // "Basic authentication" is prose.
  const isSecret = scheme.toLowerCase() === 'basic' ? isUserAndPassword(value) : isMadeByMachine(value);
  return isSecret ? afterLead(match, scheme.length + gap.length) : null;
}

/** How far back a block may reach; the longest RSA keys have 13 kB. */
const LONGEST_KEY = 20_000;

function locateKeyEnd(match: RegExpExecArray, text: string): Secret | null {
  const lowest = Math.max(0, match.index - LONGEST_KEY);
  let start = match.index;
  while (start > lowest && /[A-Za-z0-9+/=\s\\]/.test(text.charAt(start - 1))) start -= 1;
  // A word before the block belongs to the sentence, not to the key.
  const lead = /^\S{0,15}\s/.exec(text.slice(start, match.index))?.[0].length ?? 0;
  return match.index - start - lead < 16 ? null : { start: start + lead, end: match.index + match[0].length };
}

function isMadeByMachine(value: string): boolean {
  return /\d/.test(value) || (value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value.slice(1)));
}

function locatePassword(match: RegExpExecArray, text: string): Secret | null {
  const password = match[1]!;
  if (/^(?:\*+$|x{3,}$|[$<{%])/i.test(password)) return null;
  const scheme = text.slice(Math.max(0, match.index - 16), match.index);
  const end = match.index + match[0].length - 1;
  return { start: end - password.length, end, kind: DATABASES.test(scheme) ? 'connection_string' : 'url_credentials' };
}
