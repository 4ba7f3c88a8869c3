import { probabilityOf } from '../_models/calibration-curve.ts';
import modelFile from './model.generated.json' with { type: 'json' };
import type { ReadingMemo } from './reading-memo.ts';
import { type Suspicion, scanText, weightOfSubject } from './scan.ts';
import {
  type Channel,
  highestScoringPlace,
  type Place,
  readTextModel,
  type TextModel,
  type TextModelFile,
} from './text-model.ts';

let loaded: TextModel | null = null;

/** The fitted model; its weights are unpacked on first use. */
function textModel(): TextModel {
  loaded ??= readTextModel(modelFile as unknown as TextModelFile);
  return loaded;
}

/**
 * How much a text looks like an attack on the model that reads it, 0–1: rules and text model together. From 0.5 it counts
 * as an attack; about one ordinary text in a hundred reaches that. `user` is for messages of a person to the model, `data`
 * for content from tools and documents. They are scored separately because a person may give instructions.
 */
export function scoreInjection(text: string, channel: Channel): number {
  const suspicions = scanText(text);
  return combinedScore(suspicions, placeOf(text, channel, suspicions));
}

/** Score of rules and text model together, 0–1, on the scale of {@link scoreInjection}. */
export function combinedScore(suspicions: readonly Suspicion[], place: Place | null): number {
  const rules = probabilityOf(textModel().curves.rules, suspicions[0]?.score ?? 0);
  return Math.max(rules, place?.probability ?? 0);
}

/** A lower score is irrelevant, so the subject of the text is not examined. */
const NEGLIGIBLE = 0.3;

/** The text model's place in a text whose suspicious places are known. */
export function placeOf(
  text: string,
  channel: Channel,
  suspicions: readonly Suspicion[],
  memo?: ReadingMemo,
): Place | null {
  const hits = suspicions.flatMap((suspicion) => suspicion.hits);
  const place = highestScoringPlace(textModel(), text, channel, hits, memo);
  if (place === null || place.probability < NEGLIGIBLE) return place;
  return { ...place, probability: place.probability * weightOfSubject(text, memo) };
}

/** Margin above the alarm level, which was fitted to runs of only a few sets. */
const ALARM_MARGIN = 0.015;

/** The score of a detection that is based only on the model. */
export function modelScore({ probability }: Place): number {
  return probabilityOf(textModel().curves.alarm, probability - ALARM_MARGIN);
}
