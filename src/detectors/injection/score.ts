import type { Trace } from '../../core/trace.ts';
import { probabilityOf } from '../_models/calibration-curve.ts';
import { amongMany } from './false-alarm-scale.ts';
import modelFile from './model.generated.json' with { type: 'json' };
import { outsideTexts } from './outside-texts.ts';
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
  const rules = probabilityOf(textModel().curves.rules, suspicions[0]?.score ?? 0);
  return Math.max(rules, placeOf(text, channel, suspicions)?.probability ?? 0);
}

/** The same for a run: its most suspicious text from outside, weighed by how many there are; 0 where there is none. */
export function scoreTraceInjection(trace: Trace): number {
  const texts = outsideTexts(trace);
  const surest = texts.reduce((best, { text, channel }) => Math.max(best, scoreInjection(text, channel)), 0);
  return amongMany(surest, texts.length);
}

/** Less than this is nobody's business, so the subject of the text need not be known. */
const NEGLIGIBLE = 0.3;

/** What the text model alone makes of a text whose suspicions are known. */
export function placeOf(text: string, channel: Channel, suspicions: readonly Suspicion[]): Place | null {
  const hits = suspicions.flatMap((suspicion) => suspicion.hits);
  const place = surestPlace(textModel(), text, channel, hits);
  if (place === null || place.probability < NEGLIGIBLE) return place;
  return { ...place, probability: place.probability * weightOfSubject(text) };
}

/** The score of a finding that rests on the model alone. */
export function alarmOf({ probability }: Place): number {
  return probabilityOf(textModel().curves.alarm, probability);
}
