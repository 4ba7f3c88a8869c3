import { locateAssigned, SECRET_ASSIGNMENT } from './assignment.ts';
import { afterLead, type Cue, type Pattern, type Secret } from './pattern.ts';

/** At the start of a word, also after a line break that JSON within text spells `\n`. */
export const WORD_START = '(?<=^|[^A-Za-z0-9]|\\\\[nrt])';
const TOKEN_START = '(?<=^|[^A-Za-z0-9_-]|\\\\[nrt])';

export const KEY_SHAPES = [
  'sk-[A-Za-z0-9_-]{16,}', // OpenAI, Anthropic, OpenRouter, Langfuse, DeepSeek
  '[srp]k_(?:live|test)_[A-Za-z0-9]{16,}', // Stripe
  'whsec_[A-Za-z0-9+/=]{20,}', // Stripe, Standard Webhooks
  'AIza[A-Za-z0-9_-]{30,}', // Google
  'ya29\\.[A-Za-z0-9_-]{20,}', // Google OAuth
  'A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])', // AWS
  'gh[opsur]_[A-Za-z0-9]{30,}', // GitHub
  'github_pat_[A-Za-z0-9_]{30,}',
  'glpat-[A-Za-z0-9_-]{20,}', // GitLab
  'xox[abeoprs]-[A-Za-z0-9-]{10,}', // Slack
  'xapp-[A-Za-z0-9-]{20,}',
  'hf_[A-Za-z0-9]{30,}', // Hugging Face
  'npm_[A-Za-z0-9]{30,}',
  'gsk_[A-Za-z0-9]{30,}', // Groq
  'xai-[A-Za-z0-9]{30,}',
  'pplx-[A-Za-z0-9]{30,}', // Perplexity
  'tvly-[A-Za-z0-9_-]{20,}', // Tavily
  'lsv2_[A-Za-z0-9_]{30,}', // LangSmith
  'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}', // SendGrid
  'mst_[A-Za-z0-9_-]{20,}', // Misstep itself
];

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
  otherKinds: ['password', 'cookie', 'bearer', 'api_key'],
  regex: SECRET_ASSIGNMENT,
  locate: locateAssigned,
};
const JWT: Pattern = {
  kind: 'jwt',
  regex: new RegExp(`${TOKEN_START}eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*`, 'g'),
};
const KEY: Pattern = {
  kind: 'api_key',
  regex: new RegExp(`${WORD_START}(?:${KEY_SHAPES.join('|')})`, 'g'),
  locate: (match) => (/\d/.test(match[0]) ? afterLead(match, 0) : null),
};
const WEBHOOK: Pattern = {
  kind: 'api_key',
  regex:
    /(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks)\/([\w/-]{20,512})/g,
  locate: (match) => afterLead(match, match[0].indexOf(match[1]!)),
};

/** In this order: a private key in a field named so is a private key, and a named value is taken whole. */
export const SECRET_PATTERNS: readonly Pattern[] = [
  PRIVATE_KEY,
  AUTHORIZATION,
  URL_USER,
  ASSIGNMENT,
  JWT,
  KEY,
  WEBHOOK,
];

/** Cut to measure: the engine skips ahead where beginnings are few, long and unlike, so several beat a single one. */
export const SECRET_CUES: readonly Cue[] = [
  { regex: /AIza|A[KS]IA|ya29|SG\.[A-Za-z0-9]|eyJ[A-Za-z0-9]|---BEGIN/, patterns: [PRIVATE_KEY, JWT, KEY] },
  { regex: /sk-[A-Za-z0-9]|lpat-|xox[abeoprs]-|xapp-|xai-|vly-|plx-|hf_[A-Za-z0-9]/, patterns: [KEY] },
  { regex: /gh[opsur]_|npm_|mst_|gsk_|_pat_|_live_|_test_|lsv2_|hsec_/, patterns: [KEY] },
  {
    regex: /:\/\/(?:[^\s/"'<>\\]{0,400}@|hooks\.slack|[a-z.]{0,16}discord)|bearer\s|basic\s/i,
    patterns: [AUTHORIZATION, URL_USER, WEBHOOK],
  },
  { regex: /sswor|asswd|sphra|sscod|secret|authori|cookie|credent/i, patterns: [ASSIGNMENT] },
  { regex: /(?:oken|[a-z_-]key|pwd)["'`\\]{0,8}\s{0,3}[:=]/i, patterns: [ASSIGNMENT] },
];

/** A block whose end was cut off reaches as far as what follows looks like key material. */
function locateKeyBlock(match: RegExpExecArray): Secret {
  if (match[0].includes('-----END ')) return afterLead(match, 0);
  const head = match[0].indexOf('-----', 11) + 5;
  const body = /^[A-Za-z0-9+/=\s\\]*/.exec(match[0].slice(head))![0];
  return { start: match.index, end: match.index + head + body.length };
}

function locateAuthorization(match: RegExpExecArray): Secret | null {
  const [, scheme, gap, value] = match as unknown as [string, string, string, string];
  const isSecret = scheme.toLowerCase() === 'basic' ? isUserAndPassword(value) : isMadeByMachine(value);
  return isSecret ? afterLead(match, scheme.length + gap.length) : null;
}

/** "Basic authentication" is prose; RFC 7617 credentials are the base64 of `user:password`. */
function isUserAndPassword(value: string): boolean {
  return /^[\x20-\x7e]{0,512}$/.test(decode(value)) && decode(value).includes(':');
}

function decode(base64: string): string {
  return Buffer.from(base64.slice(0, 512), 'base64').toString('latin1');
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
