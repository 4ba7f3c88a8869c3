import { hash32, NGRAM_SIZE, type SparseVector } from '../../../src/detectors/_models/hashed-ngrams.ts';
import { type LinearModelFile, readLinearModel } from '../../../src/detectors/_models/linear-model.ts';
import { CANDIDATE_FEATURES, candidatesOf, type Heads } from '../../../src/detectors/injection/candidates.ts';
import type { FamilyHit } from '../../../src/detectors/injection/families.ts';
import { denseFeatures, HEAD_FEATURES } from '../../../src/detectors/injection/head-features.ts';
import { ngramsOf } from '../../../src/detectors/injection/piece-ngrams.ts';
import { piecesOf, windowsOf } from '../../../src/detectors/injection/pieces.ts';
import { PREFILTER_BUCKETS, prefilterFeatures, prefilterScores } from '../../../src/detectors/injection/prefilter.ts';
import { scanText } from '../../../src/detectors/injection/scan.ts';
import type { Segment } from '../../../src/detectors/injection/segments.ts';
import { rawPlace, readHeads, type TextModelFile } from '../../../src/detectors/injection/text-model.ts';
import { type BoostingExample, fitBoosting } from '../gradient-boosting.ts';
import { foldOf } from '../grouped-folds.ts';
import { type Example, fitLogistic, packLogistic } from '../logistic-regression.ts';
import type { Item } from './corpus.ts';
import type { BenignScore } from './curves.ts';

/** A piece as a training example of the heads; null if it has no label for a head. */
interface PieceExample {
  text: string;
  isAttack: 0 | 1 | null;
  isTask: 0 | 1 | null;
  dense: Float64Array;
  ngrams: SparseVector;
  prefilter: SparseVector;
}

/** An item with everything that is the same in all fits. */
export interface Prepared {
  item: Item;
  hits: FamilyHit[];
  examples: PieceExample[];
  /** Places of the instructions. */
  attackPlaces: Segment[];
  /** Places of the complete attack, including content that is not an instruction itself, such as code to insert. */
  attackWhole: Segment[];
}

/** The text model without its curves. */
export type FittedModel = Omit<TextModelFile, 'curves'>;

const MAX_PIECES = 4;

export function prepare(item: Item): Prepared {
  const hits = scanText(item.text).flatMap((suspicion) => suspicion.hits);
  const attackWhole = placesOf(item);
  const attackPlaces = attackWhole.map((place) => instructionIn(item, place));
  return { item, hits, attackPlaces, attackWhole, examples: pieceExamplesOf(item, hits, attackPlaces, attackWhole) };
}

/** The instruction before a block of code. */
function instructionIn({ text, set }: Item, place: Segment): Segment {
  const end = /^bipia-code/.test(set) ? text.slice(place.start, place.end).indexOf('\n') : -1;
  return end < MIN_INSTRUCTION_LENGTH ? place : { start: place.start, end: place.start + end };
}

const MIN_INSTRUCTION_LENGTH = 20;

/** Places of the attack; the whole text if the place is not known. */
function placesOf({ isAttack, attack, text }: Item): Segment[] {
  if (!isAttack) return [];
  const at = attack === undefined ? -1 : indexOfForm(text, attack);
  return at === -1
    ? [{ start: 0, end: text.length }]
    : [{ start: at, end: Math.min(text.length, at + attack!.length) }];
}

function indexOfForm(text: string, attack: string): number {
  const exact = text.indexOf(attack);
  return exact === -1 ? text.indexOf(attack.slice(0, 40)) : exact;
}

export const overlaps = (a: Segment, b: Segment) => a.end > b.start && a.start < b.end;

/** Sets of attacks in data whose wording is that of ordinary tasks. */
const PLAIN_ATTACKS = /^(?:bipia|injecagent-base|inserted)/;

function pieceExamplesOf(item: Item, hits: FamilyHit[], places: Segment[], whole: Segment[]): PieceExample[] {
  const pieces = piecesOf(item.text);
  if (item.channel === 'user') {
    const windows = sampled(windowsOf(pieces), item.id, item.isAttack ? 4 : 3);
    const marked = windows.filter((window) => hits.some((hit) => overlaps(hit, window)));
    const attackWindows = windows.length > 2 && marked.length > 0 ? marked : windows;
    const answer = item.set === 'own-orders' ? null : item.isAttack ? 1 : 0;
    const userWindows = (item.isAttack ? attackWindows : windows).map((place) =>
      example(item.text, place, hits, answer, 1),
    );
    const short = pieces.length > 1 ? [example(item.text, pieces[0]!, hits, item.isAttack ? null : answer, 1)] : [];
    return [...userWindows, ...short];
  }
  const inside = pieces.filter((piece) => places.some((place) => overlaps(piece, place)));
  const outside = pieces.filter((piece) => !whole.some((place) => overlaps(piece, place)));
  const wording = PLAIN_ATTACKS.test(item.set) ? null : 1;
  return [
    ...inside.slice(0, 4).map((place) => example(item.text, place, hits, wording, 1)),
    ...sampled(outside, item.id, item.isAttack ? 1 : MAX_PIECES).map((place) => example(item.text, place, hits, 0, 0)),
  ];
}

function sampled<T>(values: readonly T[], id: string, limit: number): T[] {
  if (values.length <= limit) return [...values];
  const offset = hash32(id) % values.length;
  const stride = Math.max(1, Math.floor(values.length / limit));
  return Array.from({ length: limit }, (_, index) => values[(offset + index * stride) % values.length]!);
}

function example(
  text: string,
  place: Segment,
  hits: FamilyHit[],
  isAttack: 0 | 1 | null,
  isTask: 0 | 1 | null,
): PieceExample {
  const piece = text.slice(place.start, place.end);
  return {
    text: piece,
    isAttack,
    isTask,
    dense: denseFeatures(piece, place, hits),
    ngrams: ngramsOf(piece),
    prefilter: prefilterVector(piece),
  };
}

function prefilterVector(piece: string): SparseVector {
  const buckets = prefilterFeatures(piece, 0, piece.length);
  const counts = new Map<number, number>();
  for (const bucket of buckets) counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  const indices = Int32Array.from(counts.keys()).sort();
  const norm = Math.sqrt(buckets.length || 1);
  return { indices, values: Float32Array.from(indices, (index) => counts.get(index)! / norm) };
}

export interface FitOptions {
  iterations?: number;
  innerFolds?: number;
}

/** Fits heads and second stage on these items. */
export function fitModel(prepared: readonly Prepared[], options: FitOptions = {}): FittedModel {
  const parts = innerParts(prepared, options);
  return {
    ...fitHeads(prepared, options.iterations ?? ITERATIONS),
    data: fitSecondStage(parts.flatMap(({ rows }) => rows)),
  };
}

/** The same, with raw scores of its ordinary texts by models fitted without their group, from which its scale is derived. */
export function fitModelWithScale(
  prepared: readonly Prepared[],
  options: FitOptions = {},
): { model: FittedModel; ordinary: Record<'user' | 'data', BenignScore[]> } {
  const parts = innerParts(prepared, options);
  const model = {
    ...fitHeads(prepared, options.iterations ?? ITERATIONS),
    data: fitSecondStage(parts.flatMap(({ rows }) => rows)),
  };
  const ordinary: Record<'user' | 'data', BenignScore[]> = { user: [], data: [] };
  for (const part of parts) {
    const data = fitSecondStage(parts.filter((other) => other !== part).flatMap(({ rows }) => rows));
    for (const { item, hits } of part.tested) {
      if (item.isAttack || item.set.startsWith('own')) continue;
      const { logit } = rawPlace({ heads: part.heads, data }, item.text, item.channel, hits);
      ordinary[item.channel].push({ set: item.set, raw: logit });
    }
  }
  return { model, ordinary };
}

interface InnerPart {
  tested: Prepared[];
  heads: Heads;
  rows: CandidateRow[];
}

/** Heads fitted without a part of the items, and the candidate rows of that part. */
function innerParts(
  prepared: readonly Prepared[],
  { innerFolds = 2, iterations = ITERATIONS }: FitOptions,
): InnerPart[] {
  const folds = prepared.map(({ item }) => foldOf(item.group, innerFolds, 77));
  return Array.from({ length: innerFolds }, (_, fold) => {
    const others = prepared.filter((_, at) => folds[at] !== fold);
    const tested = prepared.filter((_, at) => folds[at] === fold);
    const heads = readHeads(fitHeads(others, iterations));
    return { tested, heads, rows: candidateRows(tested, heads) };
  });
}

const ITERATIONS = 30;

function fitSecondStage(rows: readonly CandidateRow[]) {
  return fitBoosting(CANDIDATE_FEATURES, balanced(rows), {
    trees: 80,
    maxLeaves: 8,
    learningRate: 0.12,
    minRows: 20,
    l2: 2,
    rowShare: 0.8,
    seed: 5,
  });
}

type FittedHeads = Omit<FittedModel, 'data'>;

function fitHeads(prepared: readonly Prepared[], iterations: number): FittedHeads {
  const all = prepared.flatMap(({ item, examples }) => examples.map((each) => ({ set: item.set, example: each })));
  const wording = examplesOf(
    all,
    ({ isAttack }) => isAttack,
    ({ ngrams }) => ngrams,
    true,
  );
  const task = examplesOf(
    all,
    ({ isTask }) => isTask,
    ({ ngrams }) => ngrams,
    true,
  );
  const attackOrTask = examplesOf(
    all,
    ({ isAttack, isTask }) => (isAttack === 1 || isTask === 1 ? 1 : 0),
    ({ prefilter }) => prefilter,
    false,
  );
  const options = { sparseSize: NGRAM_SIZE, iterations, l2Sparse: 2e-5, l2Dense: 3e-3 };
  const prefilterModel = packLogistic(
    [],
    fitLogistic(attackOrTask, { sparseSize: PREFILTER_BUCKETS, iterations, l2Sparse: 2e-5 }),
  );
  return {
    skimmer: prefilterModel,
    skimFloor: floorOf(prepared, prefilterModel),
    wording: packLogistic(HEAD_FEATURES, fitLogistic(wording, options)),
    task: packLogistic(HEAD_FEATURES, fitLogistic(task, options)),
  };
}

/** A set has the weight of the square root of its size; both labels have the same total weight. */
function examplesOf(
  all: readonly { set: string; example: PieceExample }[],
  labelOf: (example: PieceExample) => 0 | 1 | null,
  sparseOf: (example: PieceExample) => SparseVector,
  withDense: boolean,
): Example[] {
  const labelled = all.flatMap(({ set, example: each }) => {
    const label = labelOf(each);
    return label === null ? [] : [{ key: `${set} ${label}`, label, example: each }];
  });
  const counts = new Map<string, number>();
  for (const { key } of labelled) counts.set(key, (counts.get(key) ?? 0) + 1);
  const totals = [0, 0];
  for (const { key, label } of labelled) totals[label]! += 1 / Math.sqrt(counts.get(key)!);
  return labelled.map(({ key, label, example: each }) => ({
    dense: withDense ? each.dense : new Float64Array(0),
    sparse: sparseOf(each),
    label,
    weight: ((label === 1 ? 1 : 2) * 1000) / Math.sqrt(counts.get(key)!) / totals[label]!,
  }));
}

/** Share of the pieces of ordinary documents that pass the prefilter. */
const READ_SHARE = 0.06;

function floorOf(prepared: readonly Prepared[], prefilterModel: LinearModelFile): number {
  const { bias, sparse, scale } = readLinearModel(prefilterModel);
  const logits = prepared
    .filter(({ item }) => item.channel === 'data' && !item.isAttack)
    .flatMap(({ item }) => [...prefilterScores({ bias, weights: sparse, scale }, item.text, piecesOf(item.text))])
    .sort((a, b) => a - b);
  return Math.round(logits[Math.floor(logits.length * (1 - READ_SHARE))]! * 1000) / 1000;
}

interface CandidateRow extends BoostingExample {
  set: string;
}

/** Weight of user requests as data, such as the result of a tool that asks a person: rare, but not injected instructions. */
const USER_SHARE = 0.02;

function candidateRows(prepared: readonly Prepared[], heads: Heads): CandidateRow[] {
  return prepared.flatMap(({ item, hits, attackPlaces, attackWhole }) => {
    if (item.channel === 'user' && (item.isAttack || item.set === 'own-orders')) return [];
    const isInstruction = (piece: Segment) => attackPlaces.some((place) => overlaps(place, piece));
    const isAbout = (piece: Segment) => !isInstruction(piece) && attackWhole.some((place) => overlaps(place, piece));
    const found = candidatesOf(heads, item.text, hits).filter((piece) => !isAbout(piece));
    const labelled = found.map((candidate) => ({
      candidate,
      label: isInstruction(candidate) ? 1 : 0,
    }));
    return labelled.map(({ candidate, label }) => ({
      set: item.channel === 'user' ? 'users' : item.set,
      values: candidate.features,
      label,
      weight:
        (item.channel === 'user' ? USER_SHARE : 1) / Math.sqrt(labelled.filter((each) => each.label === label).length),
    }));
  });
}

function balanced(rows: readonly CandidateRow[]): BoostingExample[] {
  const keyed = rows.map((row) => ({ row, key: `${row.set} ${row.label}` }));
  const totals = new Map<string, number>();
  for (const { row, key } of keyed) totals.set(key, (totals.get(key) ?? 0) + row.weight!);
  const sides = [0, 0];
  for (const [key, total] of totals) sides[Number(key.at(-1))]! += Math.sqrt(total);
  const scale = rows.length / 2;
  return keyed.map(({ row, key }) => ({
    values: row.values,
    label: row.label,
    weight: (scale * row.weight!) / Math.sqrt(totals.get(key)!) / sides[row.label]!,
  }));
}
