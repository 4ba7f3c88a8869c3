import { idfOf } from './idf.ts';
import { scaleOf } from './number-words.ts';
import { OPPOSITES } from './opposites.ts';
import { bigramKey, type SourceIndex, trigramKey } from './source-index.ts';
import type { Token } from './tokens.ts';

export const FEATURE_NAMES = [
  'idfCoverage', 'coverage', 'charCoverage', 'longestRun', 'runs4', 'best1Min', 'best1Mean', 'best2Min', 'best2Mean',
  'sentenceMin', 'novelBigrams', 'novelTrigrams', 'numbersShare', 'numbersCount', 'namesShare', 'namesCount',
  'brokenPairs', 'brokenKnown', 'maxNovel', 'novelSum', 'novelCount', 'farPairs', 'inversions', 'negation', 'opposite',
  'best3wMin', 'best3wMean', 'personal', 'question', 'anyNovel', 'runLog', 'negAny', 'meanNovel','covSq','contentLog','farMax','windowMin','windowMean','lcsMin','lcsMean','runs3','contentBigram','softCoverage','softNovelSum','farIdfSum','farIdfShare','numFar','nameFar','nov4','softMax','windowGap',
] as const;

interface SentenceSupport { idfTotal: number; idfKnown: number; best1: number; best2: number; best3w: number; bestSentence: number; }

export function features(sentences: readonly (readonly Token[])[], index: SourceIndex): number[] {
  let idfTotal = 0, idfKnown = 0, content = 0, known = 0, chars = 0, charsKnown = 0, all = 0;
  let longest = 0, inRuns = 0, bi = 0, biNovel = 0, tri = 0, triNovel = 0;
  let nums = 0, numsMissing = 0, names = 0, namesMissing = 0, pairs = 0, broken = 0, brokenKnown = 0, bothKnown = 0, far = 0;
  let maxNovel = 0, novelSum = 0, inversions = 0, inversionPairs = 0, negation = 0, opposite = 0, personal = 0, question = 0;
  let r3 = 0, cbAll = 0, cbNovel = 0, softK = 0, softN = 0, softMax = 0, farIdf = 0, pairIdf = 0, numPairs = 0, numFar = 0, namePairs = 0, nameFar = 0;
  const win: number[] = [], lcs: number[] = [];
  const best1: number[] = [], best2: number[] = [], best3w: number[] = [], cov: number[] = [], farS: number[] = [];
  for (const tokens of sentences) {
    const s = sentenceSupport(tokens, index);
    if (s.idfTotal > 0) { best1.push(s.best1 / s.idfTotal); best2.push(s.best2 / s.idfTotal); best3w.push(s.best3w / s.idfTotal); cov.push(s.idfKnown / s.idfTotal); }
    const ids = tokens.map((t) => index.ids.get(t.key) ?? -1);
    let run = 0;
    const flush = () => { if (run > 0) { longest = Math.max(longest, run + 2); inRuns += run >= 2 ? run + 2 : 0; r3 += run + 2; } run = 0; };
    let prev = -1;
    let sFar = 0, sPairs = 0;
    for (let i = 0; i < tokens.length; i += 1) {
      const t = tokens[i]!;
      all += 1;
      if (/^(?:i|my|me|we|our|mine)$/i.test(t.raw)) personal += 1;
      if (i >= 1) { bi += 1; if (ids[i]! < 0 || ids[i - 1]! < 0 || !index.bigrams.has(bigramKey(ids[i - 1]!, ids[i]!))) biNovel += 1; }
      if (i >= 2) { tri += 1; const hit = ids[i]! >= 0 && ids[i - 1]! >= 0 && ids[i - 2]! >= 0 && index.trigrams.has(trigramKey(ids[i - 2]!, ids[i - 1]!, ids[i]!)); if (hit) run += 1; else { triNovel += 1; flush(); } }
      if (t.isStop) continue;
      const idf = idfOf(t.key);
      content += 1; idfTotal += idf;
      const c = index.characters.count(t.raw);
      chars += c.all; charsKnown += c.known;
      if (ids[i]! >= 0) { known += 1; idfKnown += idf; } else { maxNovel = Math.max(maxNovel, idf); novelSum += idf; }
      const soft = ids[i]! >= 0 ? 1 : c.known / c.all > 0.55 ? c.known / c.all : 0; softK += idf * soft; softN += idf * (1 - soft); softMax = Math.max(softMax, idf * (1 - soft));
      if (t.number !== null) { nums += 1; if (!numberKnown(t, tokens[i + 1], index)) numsMissing += 1; }
      if (t.isName) { names += 1; if (ids[i]! < 0) namesMissing += 1; }
      if (prev >= 0) {
        pairs += 1; sPairs += 1; const pi = idfOf(tokens[prev]!.key) + idf; pairIdf += pi; const isFar = ids[prev]! < 0 || ids[i]! < 0 || !near(index.positionsOf[ids[prev]!]!, index.positionsOf[ids[i]!]!, i - prev + 4); if (isFar) farIdf += pi; if (t.number !== null || tokens[prev]!.number !== null) { numPairs += 1; if (isFar) numFar += 1; } if (t.isName || tokens[prev]!.isName) { namePairs += 1; if (isFar) nameFar += 1; } cbAll += 1; if (ids[prev]! < 0 || ids[i]! < 0 || !near(index.positionsOf[ids[prev]!]!, index.positionsOf[ids[i]!]!, 3)) cbNovel += 1;
        const a = ids[prev]!, b = ids[i]!;
        if (a < 0 || b < 0) { broken += 1; sFar += 1; }
        else { bothKnown += 1; if (!shareSentence(index.sentencesOf[a]!, index.sentencesOf[b]!)) { broken += 1; brokenKnown += 1; } if (!near(index.positionsOf[a]!, index.positionsOf[b]!, i - prev + 4)) { far += 1; sFar += 1; } }
      }
      prev = i;
    }
    flush();
    if (s.idfTotal > 0) { const [w, l] = windowCoverage(tokens, index); win.push(w / s.idfTotal); lcs.push(l / s.idfTotal); }
    if (sPairs > 0) farS.push(sFar / sPairs);
    if (tokens.length > 0 && s.bestSentence >= 0) {
      const [inv, n] = orderInversions(tokens, ids, index, s.bestSentence); inversions += inv; inversionPairs += n;
      const from = index.sentenceStarts[s.bestSentence]!, to = index.sentenceStarts[s.bestSentence + 1]!;
      const negA = tokens.some((t) => t.isNegation);
      let negB = false; const best = new Set<string>();
      for (let k = from; k < to; k += 1) { negB ||= index.tokens[k]!.isNegation; best.add(index.tokens[k]!.key); best.add(index.tokens[k]!.raw.toLowerCase()); }
      if (negA !== negB && s.best1 / s.idfTotal > 0.5) negation += 1;
      const own = new Set(tokens.flatMap((t) => [t.key, t.raw.toLowerCase()]));
      for (const t of tokens) for (const o of OPPOSITES.get(t.raw.toLowerCase()) ?? []) if (best.has(o) && !own.has(o) && !best.has(t.raw.toLowerCase())) opposite += 1;
    }
  }
  const share = (a: number, b: number, none = 0) => (b === 0 ? none : a / b);
  const min = (v: number[]) => (v.length === 0 ? 1 : Math.min(...v));
  const mean = (v: number[]) => (v.length === 0 ? 1 : v.reduce((a, b) => a + b, 0) / v.length);
  const ic = share(idfKnown, idfTotal, 1);
  return [
    ic, share(known, content, 1), share(charsKnown, chars, 1), share(longest, all), share(inRuns, all),
    min(best1), mean(best1), min(best2), mean(best2), min(cov), share(biNovel, bi), share(triNovel, tri),
    share(numsMissing, nums), Math.log1p(numsMissing), share(namesMissing, names), Math.log1p(namesMissing),
    share(broken, pairs), share(brokenKnown, bothKnown), maxNovel, Math.log1p(novelSum), Math.log1p(content - known), share(far, bothKnown), share(inversions, inversionPairs),
    share(negation, sentences.length), Math.min(opposite, 2), min(best3w), mean(best3w), share(personal, all), question, content > known ? 1 : 0, Math.log1p(longest), negation > 0 ? 1 : 0, share(novelSum, content - known), ic * ic, Math.log1p(content), farS.length ? Math.max(...farS) : 0,
    min(win), mean(win), min(lcs), mean(lcs), share(r3, all), share(cbNovel, cbAll), share(softK, idfTotal, 1), Math.log1p(softN), Math.log1p(farIdf), share(farIdf, pairIdf), share(numFar, numPairs), share(nameFar, namePairs), 0, softMax, min(cov) - min(win),
  ];
}

function sentenceSupport(tokens: readonly Token[], index: SourceIndex): SentenceSupport {
  const weights = new Map<number, number>();
  let idfTotal = 0, idfKnown = 0;
  const seen = new Set<string>();
  for (const t of tokens) {
    if (t.isStop || seen.has(t.key)) continue;
    seen.add(t.key);
    const idf = idfOf(t.key); idfTotal += idf;
    const id = index.ids.get(t.key);
    if (id === undefined || index.sentencesOf[id]!.length === 0) continue;
    idfKnown += idf; weights.set(id, idf);
  }
  const scores = new Map<number, number>();
  for (const [id, w] of weights) for (const s of index.sentencesOf[id]!) scores.set(s, (scores.get(s) ?? 0) + w);
  let bestSentence = -1, best1 = 0;
  for (const [s, v] of scores) if (v > best1 || (v === best1 && s < bestSentence)) { best1 = v; bestSentence = s; }
  const rest = new Map<number, number>();
  for (const [id, w] of weights) { const list = index.sentencesOf[id]!; if (!list.includes(bestSentence)) for (const s of list) rest.set(s, (rest.get(s) ?? 0) + w); }
  let extra = 0; for (const v of rest.values()) extra = Math.max(extra, v);
  let window = 0;
  for (const s of bestCandidates(scores)) {
    let sum = 0;
    for (const [id, w] of weights) if (index.sentencesOf[id]!.some((x) => x >= s - 1 && x <= s + 1)) sum += w;
    window = Math.max(window, sum);
  }
  return { idfTotal, idfKnown, best1, best2: best1 + extra, best3w: window, bestSentence };
}
function bestCandidates(scores: Map<number, number>): number[] {
  return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 3).map(([s]) => s);
}
function numberKnown(t: Token, next: Token | undefined, index: SourceIndex): boolean {
  if (index.ids.has(t.key)) return true;
  return index.numbers.has(t.number! * scaleOf(next?.key));
}
function shareSentence(a: readonly number[], b: readonly number[]): boolean {
  let i = 0, j = 0;
  while (i < a.length && j < b.length) { if (a[i] === b[j]) return true; if (a[i]! < b[j]!) i += 1; else j += 1; }
  return false;
}
function near(a: readonly number[], b: readonly number[], width: number): boolean {
  let i = 0, j = 0;
  while (i < a.length && j < b.length) { if (Math.abs(a[i]! - b[j]!) <= width) return true; if (a[i]! < b[j]!) i += 1; else j += 1; }
  return false;
}
function orderInversions(tokens: readonly Token[], ids: readonly number[], index: SourceIndex, best: number): [number, number] {
  const from = index.sentenceStarts[best]!, to = index.sentenceStarts[best + 1]!;
  const at = new Map<string, number>();
  const twice = new Set<string>();
  for (let k = from; k < to; k += 1) { const key = index.tokens[k]!.key; if (at.has(key)) twice.add(key); at.set(key, k); }
  const positions = tokens.filter((t) => !t.isStop && at.has(t.key) && !twice.has(t.key)).map((t) => at.get(t.key)!);
  let inv = 0;
  for (let i = 1; i < positions.length; i += 1) if (positions[i]! < positions[i - 1]!) inv += 1;
  return [inv, Math.max(0, positions.length - 1)];
}

/** Greatest idf of distinct answer words inside one window of the source, and the part of it in the answer's order. */
function windowCoverage(tokens: readonly Token[], index: SourceIndex): [number, number] {
  const weights = new Map<number, number>(); const order = new Map<number, number>();
  for (const t of tokens) { if (t.isStop) continue; const id = index.ids.get(t.key); if (id !== undefined && !weights.has(id)) { weights.set(id, idfOf(t.key)); order.set(id, order.size); } }
  const events: [number, number][] = [];
  for (const id of weights.keys()) for (const p of index.positionsOf[id]!) events.push([p, id]);
  events.sort((a, b) => a[0] - b[0]);
  const width = Math.max(12, Math.round(tokens.length * 1.5));
  const inside = new Map<number, number>(); let sum = 0, best = 0, from = 0, bf = 0, bt = 0;
  for (let to = 0; to < events.length; to += 1) {
    const [p, id] = events[to]!; const n = inside.get(id) ?? 0; if (n === 0) sum += weights.get(id)!; inside.set(id, n + 1);
    while (events[from]![0] < p - width) { const old = events[from]![1]; const m = inside.get(old)! - 1; inside.set(old, m); if (m === 0) sum -= weights.get(old)!; from += 1; }
    if (sum > best + 1e-9) { best = sum; bf = from; bt = to; }
  }
  // heaviest increasing subsequence
  const seq = events.slice(bf, bt + 1).slice(0, 60).map(([, id]) => id); const dp: number[] = []; let l = 0;
  for (let i = 0; i < seq.length; i += 1) { let v = 0; for (let j = 0; j < i; j += 1) if (order.get(seq[j]!)! < order.get(seq[i]!)!) v = Math.max(v, dp[j]!); dp[i] = v + weights.get(seq[i]!)!; l = Math.max(l, dp[i]!); }
  return [best, l];
}
