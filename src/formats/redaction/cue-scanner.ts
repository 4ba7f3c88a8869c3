import type { Cue, Lead } from './pattern.ts';

/** Bits of a folded character; three of them index the table. */
const BITS = 5;
const MASK = (1 << (3 * BITS)) - 1;

/** Letters without case have a number each; digits share one, and so do groups of signs. The table stays small enough for the cache. */
const FOLDED = new Uint8Array(128);
for (const [index, letter] of [...'abcdefghijklmnopqrstuvwxyz'].entries()) {
  FOLDED[letter.charCodeAt(0)] = index + 1;
  FOLDED[letter.toUpperCase().charCodeAt(0)] = index + 1;
}
for (const [index, group] of ['0123456789', '-', '_', ':/.=~', ' '].entries())
  for (const sign of group) FOLDED[sign.charCodeAt(0)] = index + 27;

interface Target {
  cue: Cue;
  lead: Lead;
}

/**
 * Finds the cues of a text in one pass: each place is looked up by its three characters, and only places where some
 * lead begins are tested. One expression a cue would read the text once for each.
 */
export class CueScanner {
  readonly #targets = new Map<number, Target[]>();
  readonly #isLead = new Uint8Array(MASK + 1);
  readonly #tested: readonly Cue[];

  constructor(cues: readonly Cue[]) {
    this.#tested = cues.filter(({ test }) => test !== undefined);
    for (const cue of cues) for (const lead of cue.leads ?? []) this.#add({ cue, lead });
  }

  /** Every cue that occurs in the text. */
  find(text: string): ReadonlySet<Cue> {
    const found = new Set<Cue>();
    for (const cue of this.#tested) if (cue.test!(text)) found.add(cue);
    const isLead = this.#isLead;
    let hash = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      hash = ((hash << BITS) | (code < 128 ? FOLDED[code]! : 0)) & MASK;
      if (isLead[hash] === 1 && at > 1) this.#note(text, at - 2, hash, found);
    }
    return found;
  }

  #note(text: string, at: number, hash: number, found: Set<Cue>): void {
    for (const { cue, lead } of this.#targets.get(hash)!) if (!found.has(cue) && lead.isAt(text, at)) found.add(cue);
  }

  #add(target: Target): void {
    const [first, second, third] = target.lead.start.map(foldedSet) as [Set<number>, Set<number>, Set<number>];
    for (const a of first)
      for (const b of second)
        for (const c of third) {
          const hash = (((a << BITS) | b) << BITS) | c;
          this.#isLead[hash] = 1;
          this.#targets.set(hash, [...(this.#targets.get(hash) ?? []), target]);
        }
  }
}

/** `null` stands for every character. */
function foldedSet(characters: string | null): Set<number> {
  if (characters === null) return new Set(Array.from({ length: 1 << BITS }, (_, number) => number));
  return new Set([...characters].map((character) => FOLDED[character.charCodeAt(0)] ?? 0));
}
