import type { Cue, Lead } from './pattern.ts';
import { unitsOf } from './text-units.ts';

/** Bits of a folded character; three of them index the table. */
const BITS = 5;
const MASK = (1 << (3 * BITS)) - 1;

/**
 * Case-insensitive numbers for letters; digits share one number, and so do groups of symbols. The numbers fit into `BITS`,
 * so that the three-character table fits into the processor cache.
 */
const FOLDED = new Uint8Array(65_536);
for (const [index, letter] of [...'abcdefghijklmnopqrstuvwxyz'].entries()) {
  FOLDED[letter.charCodeAt(0)] = index + 1;
  FOLDED[letter.toUpperCase().charCodeAt(0)] = index + 1;
}
for (const [index, group] of ['0123456789', '-', '_', ':/.=~', ' '].entries())
  for (const sign of group) FOLDED[sign.charCodeAt(0)] = index + 27;

interface Target {
  cue: Cue;
  lead: Lead;
  /** For each of the three characters, 1 at its possible codes; folding adds other characters. */
  codes: readonly [Uint8Array, Uint8Array, Uint8Array];
}

const NONE: ReadonlySet<Cue> = new Set();

/**
 * Finds the cues of a text in one pass: each position is looked up by its three characters, and only positions where a cue
 * may start are tested. One regular expression per cue would read the text once for each of them.
 */
export class CueScanner {
  readonly #targets: (Target[] | undefined)[] = new Array(MASK + 1).fill(undefined);
  readonly #isLead = new Uint8Array(MASK + 1);
  readonly #tested: readonly Cue[];

  constructor(cues: readonly Cue[]) {
    this.#tested = cues.filter(({ test }) => test !== undefined);
    for (const cue of cues) for (const lead of cue.leads ?? []) this.#add(cue, lead);
  }

  /** Every cue that occurs in the text; `units` are the code units of the text. */
  find(text: string, units = unitsOf(text)): ReadonlySet<Cue> {
    let found: Set<Cue> | null = null;
    for (const cue of this.#tested) if (cue.test!(text, units)) found = (found ?? new Set()).add(cue);
    const isLead = this.#isLead;
    const { codes, length } = units;
    let hash = 0;
    for (let at = 0; at < length; at += 1) {
      hash = ((hash << BITS) | FOLDED[codes[at]!]!) & MASK;
      if (isLead[hash] === 1 && at > 1) found = this.#addFound(text, at - 2, hash, found);
    }
    return found ?? NONE;
  }

  #addFound(text: string, at: number, hash: number, found: Set<Cue> | null): Set<Cue> | null {
    let all = found;
    for (const { cue, lead, codes } of this.#targets[hash]!) {
      if (all?.has(cue) || !isStart(text, at, codes)) continue;
      if (lead.isAt(text, at)) all = (all ?? new Set()).add(cue);
    }
    return all;
  }

  #add(cue: Cue, lead: Lead): void {
    const [first, second, third] = lead.start.map(foldedSet) as [Set<number>, Set<number>, Set<number>];
    const target = { cue, lead, codes: lead.start.map(codesOf) as unknown as Target['codes'] };
    for (const a of first)
      for (const b of second)
        for (const c of third) {
          const hash = (((a << BITS) | b) << BITS) | c;
          this.#isLead[hash] = 1;
          this.#targets[hash] = [...(this.#targets[hash] ?? []), target];
        }
  }
}

function isStart(text: string, at: number, [first, second, third]: Target['codes']): boolean {
  return (
    first[text.charCodeAt(at)] === 1 && second[text.charCodeAt(at + 1)] === 1 && third[text.charCodeAt(at + 2)] === 1
  );
}

/** `null` means any character. */
function foldedSet(characters: string | null): Set<number> {
  if (characters === null) return new Set(Array.from({ length: 1 << BITS }, (_, number) => number));
  return new Set([...characters].map((character) => FOLDED[character.charCodeAt(0)]!));
}

const EVERY_CODE = new Uint8Array(65_536).fill(1);

function codesOf(characters: string | null): Uint8Array {
  if (characters === null) return EVERY_CODE;
  const codes = new Uint8Array(128);
  for (const character of characters.toLowerCase() + characters.toUpperCase()) codes[character.charCodeAt(0)] = 1;
  return codes;
}
