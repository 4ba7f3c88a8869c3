import { locateAssigned, SECRET_ASSIGNMENT } from './assignment.ts';
import { afterLead, type PatternGroup, type Secret } from './pattern.ts';

/** At the start of a word, also after a line break that JSON within text spells `\n`. */
const WORD_START = '(?<=^|[^A-Za-z0-9]|\\\\[nrt])';
const TOKEN_START = '(?<=^|[^A-Za-z0-9_-]|\\\\[nrt])';

const KEY_SHAPES = [
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

const WEBHOOK_PATH =
  /(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks)\/([\w/-]{20,512})/g;

const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,20000}(?:-----END [A-Z0-9 ]{0,40}-----)?/g;

const AUTHORIZATION = /(?<![A-Za-z])(bearer|basic)(\s{1,4})([A-Za-z0-9._~+/=-]{8,})/gi;

const DATABASES =
  /(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|nats)$/i;
const URL_USER = /:\/\/[^\s:@/?#"'<>\\[\]]{0,128}:([^\s/"'<>\\]{1,256})@(?=[\w.[-])/g;

/** In this order: a private key in a field named so is a private key, and a named value is taken whole. */
export const SECRET_PATTERNS: readonly PatternGroup[] = [
  {
    quick: /-----BEGIN [A-Z]/,
    patterns: [{ kind: 'private_key', regex: PRIVATE_KEY, locate: locateKeyBlock }],
  },
  {
    quick: /(?:bearer|basic)\s/i,
    patterns: [{ kind: 'bearer', regex: AUTHORIZATION, locate: locateAuthorization }],
  },
  {
    quick: /:\/\/[^\s/"'<>\\]{0,400}@/,
    patterns: [{ kind: 'url_credentials', otherKinds: ['connection_string'], regex: URL_USER, locate: locatePassword }],
  },
  {
    quick: SECRET_ASSIGNMENT,
    patterns: [
      {
        kind: 'secret',
        otherKinds: ['password', 'cookie', 'bearer', 'api_key'],
        regex: new RegExp(SECRET_ASSIGNMENT.source, 'gi'),
        locate: locateAssigned,
      },
    ],
  },
  {
    quick: /eyJ[A-Za-z0-9_-]{8}/,
    patterns: [
      {
        kind: 'jwt',
        regex: new RegExp(`${TOKEN_START}eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*`, 'g'),
      },
    ],
  },
  {
    quick: /sk-[A-Za-z0-9]|[srp]k_(?:live|test)_|gh[opsur]_|lpat-|xox[abeoprs]-|hf_|npm_|mst_|gsk_|_pat_/,
    patterns: [keyPattern()],
  },
  {
    quick: /AIza|A[KS]IA|ya29\.|SG\.|lsv2_|whsec_|pplx-|tvly-|xapp-|xai-/,
    patterns: [keyPattern()],
  },
  {
    quick: /hooks\.slack\.com\/|discord(?:app)?\.com\/api\/w/,
    patterns: [
      { kind: 'api_key', regex: WEBHOOK_PATH, locate: (match) => afterLead(match, match[0].indexOf(match[1]!)) },
    ],
  },
];

function keyPattern(): PatternGroup['patterns'][number] {
  return {
    kind: 'api_key',
    regex: new RegExp(`${WORD_START}(?:${KEY_SHAPES.join('|')})`, 'g'),
    locate: (match) => (/\d/.test(match[0]) ? afterLead(match, 0) : null),
  };
}

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
