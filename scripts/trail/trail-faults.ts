/** The failure type that a step's error text states. */
export const FAULT_KINDS = [
  'arguments',
  'no-results',
  'file',
  'not-permitted',
  'syntax',
  'parsing',
  'undefined',
  'access',
  'service',
  'library',
  'other',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  kind: FaultKind;
  text: string;
}

/** In order of precedence: the first that matches names the kind. */
const PATTERNS: readonly (readonly [FaultKind, RegExp])[] = [
  ['arguments', /unexpected keyword argument|missing \d{1,3} required|\bTypeError\b|invalid arguments?\b/i],
  ['no-results', /no results found|couldn't be found|could not be found|\bnot archived\b|closest match/i],
  ['parsing', /code snippet is invalid|error in code parsing|regex pattern .{0,60} was not found/is],
  ['syntax', /\bSyntaxError\b|code parsing failed|unterminated|invalid syntax|IndentationError/i],
  ['library', /ModuleNotFoundError|import (?:of|from) \S{1,60} is not allowed|no module named/i],
  ['not-permitted', /not permitted|is not allowed|forbidden function|not supported/i],
  ['file', /FileNotFound|no such file|FileConversion|UnsupportedFormat|could not convert|not recognized as/i],
  ['undefined', /is not defined|NameError|AttributeError|has no attribute|KeyError|IndexError/i],
  ['access', /\b401\b|\b403\b|unauthori[sz]ed|forbidden|authentication|api key|permission denied/i],
  ['service', /\b(?:429|5\d\d)\b|overloaded|rate.?limit|timed? ?out|timeout|unavailable|connection/i],
];

/** The failure in a step's error text; null if the text is empty. */
export function faultOf(text: string): Fault | null {
  if (text === '') return null;
  const head = text.length <= 4000 ? text : `${text.slice(0, 2000)}\n${text.slice(-2000)}`;
  const found = PATTERNS.find(([, pattern]) => pattern.test(head));
  return { kind: found?.[0] ?? 'other', text };
}
