import modelFile from './model.generated.json' with { type: 'json' };
import { type Suspicion, scanText } from './scan.ts';
import { type Channel, type Place, readTextModel, surestPlace, type TextModel, type TextModelFile } from './text-model.ts';

let loaded: TextModel | null = null;

/** The fitted model; its weights are unpacked when first asked for. */
export function textModel(): TextModel {
  loaded ??= readTextModel(modelFile as unknown as TextModelFile);
  return loaded;
}

/**
 * How probable it is, 0–1, that a text attacks the model that reads it: rules and text model together.
 * `user` is what a person says to the model, `data` what tools and documents bring; `unknown` is judged as both.
 */
export function scoreInjection(text: string, channel: Channel | 'unknown'): number {
  const suspicions = scanText(text);
  const channels: Channel[] = channel === 'unknown' ? ['user', 'data'] : [channel];
  return Math.max(...channels.map((each) => combined(suspicions, placeOf(text, each, suspicions), each)));
}

/** What the text model alone makes of a text whose suspicions are known. */
export function placeOf(text: string, channel: Channel, suspicions: readonly Suspicion[]): Place | null {
  const hits = suspicions.flatMap((suspicion) => suspicion.hits);
  return surestPlace(textModel(), text, channel, hits);
}
