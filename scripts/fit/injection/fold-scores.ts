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
const RECORDS_MADE = 1000;
const INSERTS_MADE = 3300;

/** The raw score of a text that a model gave that has not seen it. */
export interface RawScore {
  channel: Channel;
  raw: number;
  /** Characters of the text. */
  length: number;
  /** The rules' own score. */
  rules: number;
  /** True for a text that is a record of its own, not part of a run. */
  isAlone?: boolean;
}

/** Keeps what was prepared: every fold needs nearly every item. */
export class Workshop {
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

  /** A model fitted on the items that pass, with what is made from them. */
  fit(isTraining: (item: Item) => boolean): FittedModel {
    return fitModel(this.#lessons(isTraining));
  }

  fitWithScale(isTraining: (item: Item) => boolean): ReturnType<typeof fitModelWithScale> {
    return fitModelWithScale(this.#lessons(isTraining));
  }

  #lessons(isTraining: (item: Item) => boolean): Prepared[] {
    const chosen = thinned(this.items.filter((item) => item.isMeasuredOnly !== true && isTraining(item)));
    const own = [...chosen, ...recordItems(chosen, RECORDS_MADE)];
    return [...own.map((item) => this.prepare(item)), ...insertedItems(own, INSERTS_MADE).map(prepare)];
  }

  /** Fitted without the fold's documents and without the wordings of its attacks. */
  fitWithoutFold(fold: number): FittedModel {
    const isInFold = (item: Item) => foldOf(item.group, FOLDS) === fold;
    const wordings = new Set(this.items.filter(isInFold).flatMap(({ attack }) => attack ?? []));
    return this.fit((item) => !isInFold(item) && !(item.attack !== undefined && wordings.has(item.attack)));
  }
}

/** Ordinary documents of one set that a fit needs: more of the same kind teach little and cost minutes. */
const DOCUMENTS_MOST = 600;

function thinned(items: readonly Item[]): Item[] {
  const isMany = (item: Item) => item.channel === 'data' && !item.isAttack && !item.set.startsWith('own');
  const sizes = new Map<string, number>();
  for (const item of items) if (isMany(item)) sizes.set(item.set, (sizes.get(item.set) ?? 0) + 1);
  return items.filter((item) => !isMany(item) || hash32(`thin ${item.id}`) % sizes.get(item.set)! < DOCUMENTS_MOST);
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

/** Every text of a record that came from outside, scored; as `misstep analyze --predictions` would. */
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
