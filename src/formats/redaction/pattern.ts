import type { RedactionKind } from './kinds.ts';
import type { NearbySearch, NearbyStarts } from './nearby-search.ts';
import type { TextUnits } from './text-units.ts';

/** A secret with a recognisable form. Every expression must run in linear time, which a test verifies. */
export interface Pattern {
  kind: RedactionKind;
  /** Kinds that `locate` may return besides `kind`. */
  otherKinds?: readonly RedactionKind[];
  /** With the flag `g`, or `y` if `near` defines its start; omitted if `find` is given. */
  regex?: RegExp;
  /** Positions at which to try the expression; all if omitted. */
  near?: NearbySearch | NearbyStarts;
  /** Texts without any of these have no match. */
  needs?: readonly string[];
  /** Every secret of the text in order, for secrets that an expression cannot find fast. */
  find?: (text: string) => readonly Secret[];
  /** Position of the secret in a match; null if the match is not a secret. The whole match if omitted. */
  locate?: (match: RegExpExecArray, text: string) => Secret | null;
  /** A rejected match may contain another one that starts within it. Only for matches of bounded length. */
  looksWithinRejected?: boolean;
}

export interface Secret {
  start: number;
  end: number;
  /** Kind, if the name next to the secret is more specific. */
  kind?: RedactionKind;
  /** Quotes around the marker, so that JSON with a bare number stays valid. */
  quote?: string;
}

/** A fast test of a text: its patterns are tried only if the cue occurs, and most texts contain none. */
export interface Cue {
  /** Prefixes of the matches of the cue. Without anchors, so that several texts can be joined. */
  leads?: readonly Lead[];
  /** A separate test, for cues without a fixed prefix. */
  test?(text: string, units: TextUnits): boolean;
  /** Expressions that `leads` or `test` apply. */
  regexes?: readonly RegExp[];
  patterns: readonly Pattern[];
}

/** A possible start of a cue. */
export interface Lead {
  /** Its three characters, case-insensitive; several at one position are alternatives, null is any. */
  start: readonly [string | null, string | null, string | null];
  /** Whether the cue matches; `at` is the offset of `start`. */
  isAt(text: string, at: number): boolean;
}

export function regexCue(regex: RegExp, patterns: readonly Pattern[]): Cue {
  return { test: (text) => regex.test(text), regexes: [regex], patterns };
}

/** `rows`: three characters, and the sticky expression for their position. */
export function leadCue(
  rows: readonly [start: string | Lead['start'], regex: RegExp][],
  patterns: readonly Pattern[],
): Cue {
  const leads = rows.map(([start, regex]) => ({
    start: (typeof start === 'string' ? [...start] : start) as unknown as Lead['start'],
    isAt: (text: string, at: number) => {
      regex.lastIndex = at;
      return regex.test(text);
    },
  }));
  return { leads, regexes: rows.map(([, regex]) => regex), patterns };
}

/** The end of a match, without its first `lead` characters. */
export function afterLead(match: RegExpExecArray, lead: number): Secret {
  return { start: match.index + lead, end: match.index + match[0].length };
}
