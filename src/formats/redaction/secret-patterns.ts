import { ASSIGNMENT_ENDS, locateAssigned, SECRET_ASSIGNMENT } from './assignment.ts';
import { COMMAND_CUE, COMMAND_PATTERNS } from './command-patterns.ts';
import { findKeys, isRealToken, keyCue } from './key-finder.ts';
import { TAIL_SHAPES, WORD_START } from './key-shapes.ts';
import { afterLead, type Cue, leadCue, type Pattern, type Secret } from './pattern.ts';
import { isUserAndPassword } from './secret-names.ts';
import { locateStated, STATED_NAMES, STATED_SECRET } from './stated-secret.ts';

const PRIVATE_KEY: Pattern = {
  kind: 'private_key',
  needs: ['-----BEGIN '],
  regex:
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,20000}(?:-----END [A-Z0-9 ]{0,40}-----)?/g,
  locate: locateKeyBlock,
};
const AUTHORIZATION: Pattern = {
  kind: 'bearer',
  regex: /(?<![A-Za-z])(bearer|basic)(\s{1,4})([A-Za-z0-9._~+/=-]{8,})/gi,
  locate: locateAuthorization,
};
/** The rest of a block whose start was truncated. */
const PRIVATE_KEY_END: Pattern = {
  kind: 'private_key',
  needs: ['-----END '],
  regex: /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g,
  locate: locateKeyEnd,
};
const PUTTY_KEY: Pattern = {
  kind: 'private_key',
  needs: ['Private-Lines: '],
  regex: /Private-Lines: \d{1,4}\s{1,4}([A-Za-z0-9+/=\s\\]{16,20000})/g,
  locate: (match) => afterLead(match, match[0].indexOf(match[1]!)),
};
/** Signatures of Azure (SAS), AWS and Google in a URL give access to the resource. */
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
  regex: STATED_SECRET,
  near: STATED_NAMES,
  locate: locateStated,
};
const URL_USER: Pattern = {
  kind: 'url_credentials',
  needs: ['@'],
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
  near: ASSIGNMENT_ENDS,
  locate: locateAssigned,
};
const KEY: Pattern = { kind: 'api_key', otherKinds: ['jwt', 'private_key'], find: findKeys };
const TAIL: Pattern = {
  kind: 'api_key',
  regex: new RegExp(`${WORD_START}(?:${TAIL_SHAPES.join('|')})`, 'g'),
  locate: (match) => (isRealToken(match[0], '') ? afterLead(match, 0) : null),
};
const WEBHOOK: Pattern = {
  kind: 'api_key',
  needs: ['hooks.slack.com/', '.com/api/webhooks/', 'webhook.office.com/'],
  regex:
    /(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks|webhook\.office\.com\/webhookb2)\/([\w/@-]{20,512})/g,
  locate: (match) => afterLead(match, match[0].indexOf(match[1]!)),
};

/** Order matters: a private key in a field with that name is a private key, and a named value is taken as a whole. */
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

const DIGITS = '0123456789';
const HEX_DIGITS = `${DIGITS}abcdef`;

/** Each cue starts with three characters that are rare in texts, not always the first ones. */
export const SECRET_CUES: readonly Cue[] = [
  keyCue([KEY]),
  leadCue(
    [
      ['vat', /(?<=PRI)VATE KEY/y],
      ['tty', /(?<=Pu)TTY-User-Key/y],
      ['e-l', /(?<=Privat)e-Lines/y],
    ],
    [PRIVATE_KEY, PRIVATE_KEY_END, PUTTY_KEY],
  ),
  leadCue(
    [
      ['atl', /atlasv1/y],
      ['jqq', /JQQJ99/y],
      ['azd', /AZDO/y],
      ['_mm', /_mmk/y],
      [[DIGITS, 'q', '~'], /\dQ~/y],
      [[HEX_DIGITS, '-', `${HEX_DIGITS}u`], /[a-f\d]-(?:us\d|[a-f\d]{8}-[a-f\d]{8}(?![\w-]))/y],
      [[DIGITS, ':', 'a'], /\d:AA[\w-]{30}/y],
    ],
    [TAIL],
  ),
  leadCue(
    [
      ['://', /:\/\/(?:[^\s/"'<>\\]{0,400}@|hooks\.slack|[a-z.]{0,16}discord|[\w.-]{0,60}webhook)/iy],
      ['rer', /(?<=bea)rer\s/iy],
      ['sic', /(?<=ba)sic\s/iy],
    ],
    [AUTHORIZATION, URL_USER, WEBHOOK],
  ),
  leadCue(
    [
      ['sig', /(?<=[?&;])sig(?:nature)?=/iy],
      ['x-a', /x-amz-s/iy],
      ['x-g', /x-goog-s/iy],
    ],
    [SIGNED_QUERY],
  ),
  leadCue(
    [
      ['id=', /(?<=sess(?:ion)?_?|connect\.s)id=/iy],
      ['on=', /(?<=_sessi)on=/iy],
      ['asp', /AspNet/iy],
    ],
    [COOKIE_PAIR],
  ),
  leadCue(
    [
      ['swo', /(?<=s)swor/iy],
      ['swd', /(?<=as)swd/iy],
      ['sph', /sphra/iy],
      ['sco', /(?<=s)scod/iy],
      ['ecr', /(?<=s)ecret/iy],
      ['uth', /(?<=a)uthori/iy],
      ['oki', /(?<=co)okie/iy],
      ['ede', /(?<=cr)edent/iy],
      ['nst', /(?<=connectio)nstring/iy],
      ['n_s', /(?<=connectio)n_string/iy],
    ],
    [ASSIGNMENT, PROSE],
  ),
  leadCue(
    [
      ['oke', /oken["'`\\]{0,8}\s{0,3}[:=]/iy],
      ['key', /(?<=[a-z_-])key["'`\\]{0,8}\s{0,3}[:=]/iy],
      ['pwd', /pwd["'`\\]{0,8}\s{0,3}[:=]/iy],
      ['uth', /(?<=[_"]a)uth["'`\\]{0,8}\s{0,3}[:=]/iy],
    ],
    [ASSIGNMENT],
  ),
  leadCue(
    [
      ['key', /(?<=(?:api|access|secret)[ _-])key/iy],
      ['oke', /oken (?:is|was)/iy],
      ['oke', /(?<=(?:access|auth|api|bearer|bot|session|refresh) t)oken ["'`“‘]/iy],
      ['ssw', /(?<=pa)ssw/iy],
      ['s c', /(?<=pas)s code/iy],
      ['sco', /(?<=pas)scode/iy],
    ],
    [PROSE],
  ),
  COMMAND_CUE,
];

/** A block with a truncated end extends as far as the text looks like key material. */
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
  const isSecret = scheme.toLowerCase() === 'basic' ? isUserAndPassword(value) : looksGenerated(value);
  return isSecret ? afterLead(match, scheme.length + gap.length) : null;
}

/** Limit for the length of a block; the longest RSA keys have 13 kB. */
const MAX_KEY_LENGTH = 20_000;

function locateKeyEnd(match: RegExpExecArray, text: string): Secret | null {
  const lowest = Math.max(0, match.index - MAX_KEY_LENGTH);
  let start = match.index;
  while (start > lowest && /[A-Za-z0-9+/=\s\\]/.test(text.charAt(start - 1))) start -= 1;
  // A word before the block belongs to the sentence, not to the key.
  const lead = /^\S{0,15}\s/.exec(text.slice(start, match.index))?.[0].length ?? 0;
  return match.index - start - lead < 16 ? null : { start: start + lead, end: match.index + match[0].length };
}

function looksGenerated(value: string): boolean {
  return /\d/.test(value) || (value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value.slice(1)));
}

function locatePassword(match: RegExpExecArray, text: string): Secret | null {
  const password = match[1]!;
  if (/^(?:\*+$|x{3,}$|[$<{%])/i.test(password)) return null;
  const scheme = text.slice(Math.max(0, match.index - 16), match.index);
  const end = match.index + match[0].length - 1;
  return { start: end - password.length, end, kind: DATABASES.test(scheme) ? 'connection_string' : 'url_credentials' };
}
