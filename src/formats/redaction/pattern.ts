import type { RedactionKind } from './kinds.ts';
import type { NearbySearch, NearbyStarts } from './nearby-search.ts';
import type { TextUnits } from './text-units.ts';

/** Something that can be told from its looks. Every expression must run in linear time; a test proves it. */
export interface Pattern {
  kind: RedactionKind;
  /** Kinds that `locate` may give beside `kind`. */
  otherKinds?: readonly RedactionKind[];
  /** With the flag `g`, or `y` where `near` says where it starts; omitted if `find` is given. */
  regex?: RegExp;
  /** Where the expression has to be tried; left out: everywhere. */
  near?: NearbySearch | NearbyStarts;
  /** Texts without any of these have no match. */
  needs?: readonly string[];
  /** Every secret of the text in order, for what an expression cannot find fast. */
  find?: (text: string) => readonly Secret[];
  /** Where in the text the secret of a match stands; null if it is none after all. Left out: the whole match. */
  locate?: (match: RegExpExecArray, text: string) => Secret | null;
  /** A rejected match may hide one that starts within it. Only for matches of bounded length. */
  looksWithinRejected?: boolean;
}

export interface Secret {
  start: number;
  end: number;
  /** Where the name beside it says better what it is. */
  kind?: RedactionKind;
  /** Put around the marker, so that JSON stays JSON where a bare number stood. */
  quote?: string;
}

/** A fast test of a text: its patterns are tried only where the cue occurs, and most texts have none. */
export interface Cue {
  /** Beginnings of what the cue looks for. Without anchors, so that several texts can be joined. */
  leads?: readonly Lead[];
  /** A test of its own, for what has no fixed beginning. */
  test?(text: string, units: TextUnits): boolean;
  /** What `leads` or `test` apply. */
  regexes?: readonly RegExp[];
  patterns: readonly Pattern[];
}

/** Where a cue may begin. */
export interface Lead {
  /** Its three characters, without regard to case; several in one place are alternatives, null is any. */
  start: readonly [string | null, string | null, string | null];
  /** Whether the cue is there; `at` is the offset of `start`. */
  isAt(text: string, at: number): boolean;
}

export function regexCue(regex: RegExp, patterns: readonly Pattern[]): Cue {
  return { test: (text) => regex.test(text), regexes: [regex], patterns };
}

/** `rows`: three characters, and the sticky expression for the place where they begin. */
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

/** The end of a match, from its first `lead` characters on. */
export function afterLead(match: RegExpExecArray, lead: number): Secret {
  return { start: match.index + lead, end: match.index + match[0].length };
}
