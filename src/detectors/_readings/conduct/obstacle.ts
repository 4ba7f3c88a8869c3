import type { UnwrittenFunction } from './unwritten-functions.ts';

/** The reason why a call does not help its agent, derived from the call, its answer and the declared tools. */
export type Obstacle =
  | { kind: 'unknown_tool'; declared: number; nearest: string | null }
  | { kind: 'missing_argument'; argument: string; passed: readonly string[]; line: string }
  | { kind: 'wrong_argument'; argument: string; what: string; declared: string }
  | { kind: 'named_argument'; argument: string; value: string; line: string }
  | { kind: 'missing_program'; program: string }
  | { kind: 'stray_text'; text: string; mark: StrayMark }
  | { kind: 'cut_command'; rest: string; quote: string; line: string }
  | {
      kind: 'lost_quotes';
      reason: string;
      /** The pattern that the shell expanded; null if none was. */
      pattern: string | null;
      line: string;
    }
  | { kind: 'one_line'; line: string }
  | { kind: 'escaped_breaks' }
  | { kind: 'missing_path'; path: string; nearest: string | null; shownAt: number | null }
  | { kind: 'bare_name'; folder: string; name: string; stray: string | null }
  | { kind: 'other_names'; value: string; names: readonly string[]; offered: OfferedName }
  | { kind: 'undefined_name'; name: string; line: string }
  | { kind: 'split_code'; name: string; source: string; lineNumber: number }
  | { kind: 'lost_definition'; lost: readonly LostDefinition[] }
  | { kind: 'stub'; missing: UnwrittenFunction }
  | { kind: 'failure'; part: FailedPart; passed: string; line: string; demanded?: string }
  | { kind: 'bare_answer'; line: string; otherFailure: string | null; stray: StrayBlock | null }
  | { kind: 'redirected'; file: string }
  | { kind: 'empty' }
  | { kind: 'hidden_error'; hides: readonly string[] }
  | { kind: 'no_items'; line: string }
  | { kind: 'several_calls'; calls: number }
  | { kind: 'echo'; text: string }
  | { kind: 'own_fallback'; text: string; hides: readonly string[] }
  | { kind: 'shared_answer'; line: string; other: string; otherStep: number }
  | { kind: 'result'; line: string };

/** Whether two calls do not help their agent for the same reason: the same program or path, if it is about one. */
export function isSameCause(one: Obstacle, other: Obstacle): boolean {
  if (one.kind === 'missing_program') return other.kind === one.kind && other.program === one.program;
  if (one.kind === 'missing_path') return other.kind === one.kind && samePath(other.path, one.path);
  return other.kind === one.kind;
}

function samePath(one: string, other: string): boolean {
  return one.replace(/(?<=.)\/$/, '') === other.replace(/(?<=.)\/$/, '');
}

/** What made the shell misread a text: a Markdown fence around the command, an apostrophe in a sentence, or the words alone. */
export type StrayMark = 'fence' | 'apostrophe' | null;

/** Whether a result offers the name that it did not find: as it was requested, or without the quotation marks around it. */
export type OfferedName = 'same' | 'unquoted' | null;

/**
 * The subject of a failure: the arguments of a tool, what it looked up, code that was passed to it, a command, or the work
 * that a command checks. `unknown`: the error does not say whether the arguments, the tool or its environment is at fault.
 */
export type FailedPart = 'arguments' | 'lookup' | 'unknown' | 'code' | 'command' | 'work';

/** An import or definition that the code of a call lacks, although the user's code or an earlier version has it. */
export interface LostDefinition {
  /** The line that imports or defines the name. */
  line: string;
  /** Step of the earlier version; null for the user's code. */
  step: number | null;
}

/** A code block of a message that was not meant to run, and that failed when the code runner ran it. */
export interface StrayBlock {
  /** Step of the message. */
  step: number;
  /** Its first line. */
  line: string;
  /** Whether it is an example command. Otherwise it is no code. */
  isCommand: boolean;
  /** The line of the result that reports it. */
  failure: string;
}
