import type { Detection, Evidence } from '../../client/misstep-client.generated.ts';

/** The step that the decisive step of a detection repeats. */
export interface RepeatedStep {
  step: number;
  repeats: number;
}

const EQUAL_TO = /^equal to step (\d{1,6})$/;

/**
 * Why a detection names its step, where the evidence shows it: the step is the first that repeats an earlier one. Null if the
 * evidence of the step is no repeat, or an earlier step is one already.
 */
export function repeatedStep(
  { step, evidence }: Pick<Detection, 'step' | 'evidence'>,
  stepOf: ReadonlyMap<string, number>,
): RepeatedStep | null {
  if (step === null) return null;
  const firstByContent = new Map<string, number>();
  let first: RepeatedStep | null = null;
  for (const item of evidence) {
    const at = stepOf.get(item.span_id);
    if (at === undefined) continue;
    const repeats = statedRepeat(item) ?? firstByContent.get(contentOf(item));
    if (repeats !== undefined && repeats < at && (first === null || at < first.step)) first = { step: at, repeats };
    if (!firstByContent.has(contentOf(item))) firstByContent.set(contentOf(item), at);
  }
  return first?.step === step ? first : null;
}

function statedRepeat({ quote, value }: Evidence): number | undefined {
  const match = EQUAL_TO.exec(quote ?? (typeof value === 'string' ? value : ''));
  return match === null ? undefined : Number(match[1]);
}

function contentOf({ kind, path, quote, value }: Evidence): string {
  return JSON.stringify([kind, path, quote, value]);
}
