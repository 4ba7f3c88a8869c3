import type { FailureText } from '../_readings/calls/failure-text.ts';

export type FailureClass =
  | 'rate_limit'
  | 'auth'
  | 'not_found'
  | 'timeout'
  | 'exhaustion'
  | 'service'
  | 'invalid_arguments'
  | 'schema_mismatch'
  | 'internal_error'
  | 'declined'
  | 'other';

/** Errors of n8n and JavaScript for missing data in an expression; n8n names the expression and not the data. */
const UNEXPECTED_SHAPE =
  /\bExpressionError\b|but was expecting an? (?:number|string|boolean|object|array|date)|cannot read propert(?:y|ies) (?:'\w{0,80}' )?of (?:undefined|null)|can(?:'t|not) get data for expression|paired item data|no path back to (?:the )?(?:referenced )?node|referenced node doesn't exist|hasn't been executed|JSON parameter needs to be valid JSON|field is not valid JSON/i;

/** A type error about the arguments of the caller; any other type error is inside the code. */
const WRONG_CALL = /\barguments?\b|\bparameters?\b|\bkeyword\b/i;

/** Runtime errors; the arguments of the call may or may not have caused them. */
const INTERNAL =
  /\b(?:TypeError|AttributeError|KeyError|IndexError|NameError|UnboundLocalError|ZeroDivisionError|AssertionError|RecursionError|ReferenceError|RangeError|NullPointerException|JSONDecodeError)\b|object has no attribute|object is not (?:subscriptable|callable|iterable)|\bnot iterable\b|indices must be|index out of range|division by zero|is not (?:a function|defined)\b|Expecting value: line \d|Unexpected token .{1,40} in JSON|Unexpected end of JSON input/i;

/** Errors that a tool may raise to report that the requested thing does not exist. */
const LOOKUP = /\b(?:KeyError|IndexError)\b/;

/** The first match wins: an exhausted quota also returns 429, and a timeout behind a gateway also returns 5xx. */
const WORDING: readonly [FailureClass, RegExp][] = [
  ['schema_mismatch', UNEXPECTED_SHAPE],
  // The model's output could not be parsed or run: no tool was called.
  [
    'other',
    /\bparsing (?:error|failed)|error in (?:\w+ )?parsing|ParsingError\b|\bSyntaxError\b|\bInterpreterError\b/i,
  ],
  [
    'exhaustion',
    /insufficient[_ ]quota|exceeded your current quota|quota (?:has been )?exceeded|context[_ ]length|maximum context|context window|prompt is too long|out of memory|MemoryError|\bENOMEM\b|\bENOSPC\b|no space left|disk full|insufficient (?:credits|funds on account)|credit balance/i,
  ],
  ['rate_limit', /rate[ _-]?limit|too many requests|throttl|requests per (?:minute|second|day)|tokens per minute/i],
  ['timeout', /timed?[ -]?out|deadline exceeded|\bETIMEDOUT\b|took too long/i],
  [
    'auth',
    /unauthori[sz]ed|unauthenticated|forbidden|authenticat|not authori[sz]ed|authori[sz]ation (?:failed|required|header|error|token)|invalid (?:api[ _-]?key|token|credentials)|api[ _-]?key|permission denied|access denied|operation not permitted|expired (?:token|credentials)|token (?:has )?expired|login required|\bEACCES\b/i,
  ],
  [
    'service',
    /connection (?:refused|reset|error|aborted|closed|timed)|\bECONN\w+|\bENOTFOUND\b|\bEAI_AGAIN\b|\bEPIPE\b|socket hang up|service (?:is )?(?:temporarily )?unavailable|temporarily unavailable|internal server error|server error|bad gateway|overloaded|name resolution|getaddrinfo|network (?:is )?(?:error|unreachable)|fetch failed|(?:database|server|service|host|backend|upstream) (?:is )?(?:unavailable|unreachable|down)|perhaps (?:it|the server|the service) is offline|\bSSL(?:Error|V3)?\b|certificate (?:verify|verification|has expired|is not|error|unknown)|(?:self[- ]signed|unable to verify the first|invalid) certificate/i,
  ],
  [
    'invalid_arguments',
    /ValidationError|validation errors?\b|unexpected (?:keyword )?argument|missing (?:\d+ )?required|required (?:positional )?(?:argument|parameter|property|field)|invalid (?:argument|parameter|input|value|json|schema|type|format|date|url)|does not match|must be (?:a|an|one of)|should be a|bad request|unprocessable|malformed|cannot parse|could not parse|unconverted data|not a valid|unknown (?:argument|parameter)/i,
  ],
  [
    'not_found',
    /not found|no module named|no such|does(?: not|n't) exist|\bLookupError\b|no (?:\w+ ){0,3}found|\bENOENT\b|unknown (?!error|exception|failure|problem|reason|cause)\w+|could not find|cannot find/i,
  ],
];

const BY_STATUS: Record<string, FailureClass> = {
  400: 'invalid_arguments',
  401: 'auth',
  402: 'exhaustion',
  403: 'auth',
  404: 'not_found',
  405: 'invalid_arguments',
  408: 'timeout',
  410: 'not_found',
  413: 'exhaustion',
  422: 'invalid_arguments',
  429: 'rate_limit',
  504: 'timeout',
  524: 'timeout',
};

/** An error describes itself at its beginning; pages and stack traces after it mention everything. */
const READ_CHARACTERS = 400;

export function classifyFailure({ code, message }: FailureText): FailureClass {
  const text = `${code} ${causeIn(message).slice(0, READ_CHARACTERS)}`;
  const status = httpStatus(code, message);
  const byWording = classByWording(text);
  if (status === null) return byWording ?? 'other';
  if (status === '429' && byWording === 'exhaustion') return 'exhaustion';
  // Providers return 400 for many reasons; the message distinguishes them.
  if (status === '400' && byWording !== undefined) return byWording;
  return BY_STATUS[status] ?? (status.startsWith('5') ? 'service' : (byWording ?? 'other'));
}

function classByWording(text: string): FailureClass | undefined {
  const found = WORDING.find(([, pattern]) => pattern.test(text))?.[0];
  // The name of an error class is more specific than its message.
  const isMissing = found === 'not_found' && LOOKUP.test(text);
  const isAmbiguous = !isMissing && (found === undefined || found === 'invalid_arguments' || found === 'not_found');
  if (isAmbiguous && INTERNAL.test(text)) return WRONG_CALL.test(text) ? 'invalid_arguments' : 'internal_error';
  return found;
}

/** Code runners quote the failing line, followed by the cause. */
function causeIn(message: string): string {
  const at = message.lastIndexOf('due to: ', 4 * READ_CHARACTERS);
  return at === -1 ? message : message.slice(at + 'due to: '.length);
}

/** An HTTP status at a place for a status: in the code, at the start, or after a word that introduces it. */
function httpStatus(code: string, message: string): string | null {
  if (/^[45]\d\d$/.test(code)) return code;
  const found = /^\W{0,2}([45]\d\d)\b|\b(?:HTTP|status(?:[ _]code)?|code|error)[: =]{1,3}([45]\d\d)\b/i.exec(
    message.slice(0, READ_CHARACTERS),
  );
  return found?.[1] ?? found?.[2] ?? null;
}
