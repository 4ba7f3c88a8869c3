import type { RedactionKind } from './kinds.ts';

/** Something that can be told from its looks. Every expression must run in linear time; a test proves it. */
export interface Pattern {
  kind: RedactionKind;
  /** Kinds that `locate` may give beside `kind`. */
  otherKinds?: readonly RedactionKind[];
  /** With the flag `g`. */
  regex: RegExp;
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

/** A fast look at a text: only where it matches are its patterns tried, and most texts hold none of them. */
export interface Cue {
  regex: RegExp;
  patterns: readonly Pattern[];
}

/** The end of a match, from its first `lead` characters on. */
export function afterLead(match: RegExpExecArray, lead: number): Secret {
  return { start: match.index + lead, end: match.index + match[0].length };
}
