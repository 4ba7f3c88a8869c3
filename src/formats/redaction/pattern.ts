import type { RedactionKind } from './kinds.ts';

/** Something that can be told from its looks. Every expression must run in linear time; a test proves it. */
export interface Pattern {
  kind: RedactionKind;
  /** Kinds that `locate` may give beside `kind`. */
  otherKinds?: readonly RedactionKind[];
  /** With the flag `g`; left out where `find` is given. */
  regex?: RegExp;
  /** Every secret of the text in order, for what an expression cannot find fast. */
  find?: (text: string) => readonly Secret[];
  /** Where in the text the secret of a match stands; null where it is none after all. Left out: the whole match. */
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

/** A fast test of a text: its patterns are tried only where it passes, and most texts pass none. */
export interface Cue {
  /** Without anchors, so that it can be tried over several texts joined. */
  test(text: string): boolean;
  /** What `test` applies; left out where it is code. */
  regex?: RegExp;
  patterns: readonly Pattern[];
}

export function regexCue(regex: RegExp, patterns: readonly Pattern[]): Cue {
  return { test: (text) => regex.test(text), regex, patterns };
}

export function textCue(test: (text: string) => boolean, patterns: readonly Pattern[]): Cue {
  return { test, patterns };
}

/** The end of a match, from its first `lead` characters on. */
export function afterLead(match: RegExpExecArray, lead: number): Secret {
  return { start: match.index + lead, end: match.index + match[0].length };
}
