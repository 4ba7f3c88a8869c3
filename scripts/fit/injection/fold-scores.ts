import { hash32 } from '../../../src/detectors/_models/hashed-ngrams.ts';
import { outsideTexts } from '../../../src/detectors/injection/outside-texts.ts';
import { scanText } from '../../../src/detectors/injection/scan.ts';
import { type Channel, rawPlace, readHeads } from '../../../src/detectors/injection/text-model.ts';
import { channelOf } from '../../../src/features/predictions/text-channel.ts';
import { decodeRecord } from '../../../src/formats/records/decode-record.ts';
import { buildTrace } from '../../../src/formats/trace-model/build-trace.ts';
import { foldOf } from '../grouped-folds.ts';
import { type LabelledRecord, unlabelled } from '../load-set.ts';
import type { Item } from './corpus.ts';
import { insertedItems } from './inserts.ts';
import { recordItems } from './own-records.ts';
import { type FittedModel, fitModel, fitModelWithScale, type Prepared, prepare } from './train.ts';

export const FOLDS = 5;
const SYNTHETIC_RECORDS = 1000;
const SYNTHETIC_INSERTS = 3300;

/** The raw score of a text by a model fitted without it. */
export interface RawScore {
  channel: Channel;
  raw: number;
  /** Characters of the text. */
  length: number;
  /** The score of the rules. */
  rules: number;
  /** True for a record that is a single text and not part of a run. */
  isAlone?: boolean;
}

/** Fits models for folds. Caches prepared items, because nearly every fold needs nearly every item. */
export class FoldFitter {
  readonly #prepared = new Map<Item, Prepared>();
  readonly items: readonly Item[];

  constructor(items: readonly Item[]) {
    this.items = items;
  }

  prepare(item: Item): Prepared {
    const known = this.#prepared.get(item);
    if (known !== undefined) return known;
    const made = prepare(item);
    this.#prepared.set(item, made);
    return made;
  }

  /** A model fitted on the items that pass and on the synthetic items derived from them. */
  fit(isTraining: (item: Item) => boolean): FittedModel {
    return fitModel(this.#examples(isTraining));
  }

  fitWithScale(isTraining: (item: Item) => boolean): ReturnType<typeof fitModelWithScale> {
    return fitModelWithScale(this.#examples(isTraining));
  }

  #examples(isTraining: (item: Item) => boolean): Prepared[] {
    const chosen = sampled(this.items.filter((item) => item.isMeasuredOnly !== true && isTraining(item)));
    const own = [...chosen, ...recordItems(chosen, SYNTHETIC_RECORDS)];
    return [...own.map((item) => this.prepare(item)), ...insertedItems(own, SYNTHETIC_INSERTS).map(prepare)];
  }

  /** Fitted without the fold's documents and without the wordings of its attacks. */
  fitWithoutFold(fold: number): FittedModel {
    const isInFold = (item: Item) => foldOf(item.group, FOLDS) === fold;
    const wordings = new Set(this.items.filter(isInFold).flatMap(({ attack }) => attack ?? []));
    return this.fit((item) => !isInFold(item) && !(item.attack !== undefined && wordings.has(item.attack)));
  }
}

/** Maximum ordinary documents of one set in a fit: more of the same kind add little and cost minutes. */
const MAX_DOCUMENTS = 600;

function sampled(items: readonly Item[]): Item[] {
  const isLimited = (item: Item) => item.channel === 'data' && !item.isAttack && !item.set.startsWith('own');
  const sizes = new Map<string, number>();
  for (const item of items) if (isLimited(item)) sizes.set(item.set, (sizes.get(item.set) ?? 0) + 1);
  return items.filter((item) => !isLimited(item) || hash32(`thin ${item.id}`) % sizes.get(item.set)! < MAX_DOCUMENTS);
}

export type Scorer = (text: string, channel: Channel) => RawScore;

export function scorerOf(model: FittedModel): Scorer {
  const read = { heads: readHeads(model), data: model.data };
  return (text, channel) => {
    const suspicions = scanText(text);
    const hits = suspicions.flatMap((suspicion) => suspicion.hits);
    const { logit } = rawPlace(read, text, channel, hits);
    return { channel, raw: logit, length: text.length, rules: suspicions[0]?.score ?? 0 };
  };
}

/** Scores of all texts of a record that came from outside, as in `misstep analyze --predictions`. */
export function scoreRecord(record: LabelledRecord, score: Scorer): RawScore[] {
  if (record.kind === 'text')
    return [
      {
        ...score(
          record.text ?? '',
          channelOf(record.text ?? '', record.raw.task !== null && record.raw.task !== undefined),
        ),
        isAlone: true,
      },
    ];
  return outsideTexts(traceOf(record)).map(({ text, channel }) => score(text, channel));
}

const NO_MODELS = { find: () => null, costUsd: () => null };

export function traceOf(record: LabelledRecord) {
  return buildTrace(decodeRecord(unlabelled(record)).spans, { models: NO_MODELS, isSettled: true });
}
