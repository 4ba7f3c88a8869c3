import { probabilityOf } from '../_models/calibration-curve.ts';
import modelFile from './model.generated.json' with { type: 'json' };
import type { ReadingMemo } from './reading-memo.ts';
import { type Suspicion, scanText, weightOfSubject } from './scan.ts';
import {
  type Channel,
  type Place,
  readTextModel,
  surestPlace,
  type TextModel,
  type TextModelFile,
} from './text-model.ts';

let loaded: TextModel | null = null;

/** The fitted model; its weights are unpacked when first asked for. */
function textModel(): TextModel {
  loaded ??= readTextModel(modelFile as unknown as TextModelFile);
  return loaded;
}

/**
 * How much a text looks like an attack on the model that reads it, 0–1: rules and text model together. From 0.5 on it
 * counts as one; about one ordinary text in a hundred reaches that. `user` is what a person says to the model, `data`
 * what tools and documents bring; they are judged apart because a person may give orders.
 */
export function scoreInjection(text: string, channel: Channel): number {
  const suspicions = scanText(text);
  return scoreOfJudged(suspicions, placeOf(text, channel, suspicions));
}

/** What rules and text model make of one text together, 0–1, on the scale of {@link scoreInjection}. */
export function scoreOfJudged(suspicions: readonly Suspicion[], place: Place | null): number {
  const rules = probabilityOf(textModel().curves.rules, suspicions[0]?.score ?? 0);
  return Math.max(rules, place?.probability ?? 0);
}

/** Less than this is no one's business, so the subject of the text need not be known. */
const NEGLIGIBLE = 0.3;

/** What the text model alone makes of a text whose suspicions are known. */
export function placeOf(
  text: string,
  channel: Channel,
  suspicions: readonly Suspicion[],
  memo?: ReadingMemo,
): Place | null {
  const hits = suspicions.flatMap((suspicion) => suspicion.hits);
  const place = surestPlace(textModel(), text, channel, hits, memo);
  if (place === null || place.probability < NEGLIGIBLE) return place;
  return { ...place, probability: place.probability * weightOfSubject(text) };
}

/** The alarm level was set on runs of a few sets; those of others are stranger, so a little more is asked for. */
const ALARM_MARGIN = 0.015;

/** The score of a detection that rests on the model alone. */
export function alarmOf({ probability }: Place): number {
  return probabilityOf(textModel().curves.alarm, probability - ALARM_MARGIN);
}
