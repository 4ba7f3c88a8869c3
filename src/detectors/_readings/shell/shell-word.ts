import type { DoubleQuotedChild, ParsedScript, Word, WordPart } from 'unbash';

/** A word of a command after shell expansion, as far as the text determines it. */
export interface ShellWord {
  /** Value without quotes. The home folder is `~`, known variables are expanded, unknown parts are unchanged. */
  value: string;
  /** False if a part is known only at run time. */
  isKnown: boolean;
  /** Whether the word contains a glob. */
  isPattern: boolean;
}

/** Variables with the values assigned in the same command. */
export type Variables = ReadonlyMap<string, string>;

interface Piece {
  value: string;
  isKnown: boolean;
  isPattern?: boolean;
}

export function shellWord(word: Word, variables: Variables): ShellWord {
  const pieces = word.parts?.map((part) => pieceOf(part, variables)) ?? [{ value: word.value, isKnown: true }];
  return {
    value: pieces.map(({ value }) => value).join(''),
    isKnown: pieces.every(({ isKnown }) => isKnown),
    isPattern: pieces.some(({ isPattern }) => isPattern),
  };
}

/** A word with a known value that is not in the command text, for example from an expansion. */
export function literalWord(value: string): ShellWord {
  return { value, isKnown: true, isPattern: false };
}

function pieceOf(part: WordPart | DoubleQuotedChild, variables: Variables): Piece {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return { value: part.value, isKnown: true };
    case 'Glob':
      return { value: part.value, isKnown: true, isPattern: true };
    case 'DoubleQuoted':
    case 'LocaleString':
      return joined(part.parts.map((child) => pieceOf(child, variables)));
    case 'SimpleExpansion':
      return variable(part.text.slice(1), part.text, variables);
    case 'ParameterExpansion': {
      const isPlain = part.operation === undefined && part.prefix === undefined && part.index === undefined;
      return isPlain ? variable(part.parameter, part.text, variables) : { value: part.text, isKnown: false };
    }
    case 'CommandExpansion':
      return substituted(part.text, part.script);
    default:
      return { value: part.text, isKnown: false, isPattern: part.type === 'BraceExpansion' };
  }
}

function joined(pieces: readonly Piece[]): Piece {
  return { value: pieces.map(({ value }) => value).join(''), isKnown: pieces.every(({ isKnown }) => isKnown) };
}

function variable(name: string, text: string, variables: Variables): Piece {
  if (name === 'HOME') return { value: '~', isKnown: true };
  if (name === 'TMPDIR') return { value: '/tmp', isKnown: true };
  if (name === 'PWD') return { value: '.', isKnown: true };
  const value = variables.get(name);
  return value === undefined ? { value: text, isKnown: false } : { value, isKnown: true };
}

/** Substitutions with known results: a new temporary folder and the working folder. */
function substituted(text: string, script: ParsedScript | undefined): Piece {
  const only = script?.commands.length === 1 ? script.commands[0]!.command : null;
  const name = only?.type === 'Command' ? only.name?.value : undefined;
  if (name === 'mktemp') return { value: '/tmp/mktemp', isKnown: true };
  return name === 'pwd' ? { value: '.', isKnown: true } : { value: text, isKnown: false };
}

/** Whether one of the short options occurs, alone or bundled (`-rf`); `letters` as in `rR`. */
export function hasFlag(words: readonly string[], letters: string): boolean {
  return words.some((word) => /^-[a-zA-Z]+$/.test(word) && [...letters].some((letter) => word.includes(letter)));
}
