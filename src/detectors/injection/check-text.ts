import { type Confidence, confidenceOf, DEFAULT_FIRING_CONFIDENCE } from '../_kit/calibration.ts';
import { injectionCalibration } from './calibration.ts';
import type { Family } from './families.ts';
import { type Suspicion, scanText } from './scan.ts';
import { placeOf, scoreOfJudged } from './score.ts';
import { TEXT_FIRING_SCORE } from './text-firing.ts';
import type { Channel, Place } from './text-model.ts';

/** What is said of one text by itself. */
export interface TextCheck {
  isInjection: boolean;
  /** 0–1 on the scale of `scoreInjection`. */
  score: number;
  /** Probability that it is an attack, where attacks and ordinary texts are equally frequent. */
  confidence: Confidence;
  /** The places that speak for it, most certain first; weak signs where it is none. */
  suspicions: readonly Suspicion[];
}

/** Rules and text model on one text, as the predictions have it, with the places. */
export function checkText(text: string, channel: Channel): TextCheck {
  const suspicions = scanText(text);
  const place = placeOf(text, channel, suspicions);
  const score = scoreOfJudged(suspicions, place);
  const confidence = confidenceOf(score, 'text', textCalibration);
  const isInjection =
    textCalibration === null ? confidence.value >= DEFAULT_FIRING_CONFIDENCE : score >= TEXT_FIRING_SCORE;
  return { isInjection, score, confidence, suspicions: withPlace(suspicions, place, channel) };
}

/** Without a curve for single texts the score is no probability. */
const textCalibration = injectionCalibration.subtypes?.text === undefined ? null : injectionCalibration;

/** The model's place first, where the model alone would call the text an attack. */
function withPlace(suspicions: readonly Suspicion[], place: Place | null, channel: Channel): readonly Suspicion[] {
  if (place === null || place.probability < TEXT_FIRING_SCORE) return suspicions;
  return [suspicionAt(place, place.probability, suspicions, channel), ...suspicions];
}

/** A place that the model found, told by the rules' families within it where there are any. */
export function suspicionAt(
  { start, end }: Place,
  score: number,
  suspicions: readonly Suspicion[],
  channel: Channel,
): Suspicion {
  const inside = suspicions.find((other) => other.end > start && other.start < end);
  const own: Family = channel === 'data' ? 'out_of_place' : 'attack_wording';
  return { score, start, end, families: inside?.families ?? [own], hits: inside?.hits ?? [] };
}
