import { type Confidence, confidenceOf, DEFAULT_FIRING_CONFIDENCE } from '../_kit/calibration.ts';
import { injectionCalibration } from './calibration.ts';
import type { Family } from './families.ts';
import { type Suspicion, scanText } from './scan.ts';
import { combinedScore, placeOf } from './score.ts';
import { TEXT_FIRING_SCORE } from './text-firing.ts';
import type { Channel, Place } from './text-model.ts';

/** Result of checking a single text. */
export interface TextCheck {
  isInjection: boolean;
  /** 0–1 on the scale of `scoreInjection`. */
  score: number;
  /** Probability of an attack, if attacks and ordinary texts are equally frequent. */
  confidence: Confidence;
  /** Suspicious places, most certain first; weak signs if the text is not an attack. */
  suspicions: readonly Suspicion[];
}

/** Score of rules and text model for one text, as in the predictions, with the places. */
export function checkText(text: string, channel: Channel): TextCheck {
  const suspicions = scanText(text);
  const place = placeOf(text, channel, suspicions);
  const score = combinedScore(suspicions, place);
  const confidence = confidenceOf(score, 'text', textCalibration);
  const isInjection =
    textCalibration === null ? confidence.value >= DEFAULT_FIRING_CONFIDENCE : score >= TEXT_FIRING_SCORE;
  return { isInjection, score, confidence, suspicions: withPlace(suspicions, place, channel) };
}

/** Without a curve for single texts, the score is not a probability. */
const textCalibration = injectionCalibration.subtypes?.text === undefined ? null : injectionCalibration;

/** The model's place comes first if the model alone would report the text. */
function withPlace(suspicions: readonly Suspicion[], place: Place | null, channel: Channel): readonly Suspicion[] {
  if (place === null || place.probability < TEXT_FIRING_SCORE) return suspicions;
  return [suspicionAt(place, place.probability, suspicions, channel), ...suspicions];
}

/** A place from the text model, with the rule families that match inside it. */
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
