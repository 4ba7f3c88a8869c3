import type { Trace } from '../../core/trace.ts';
import { memoizeByRef } from '../_kit/memoize.ts';
import { type Attribution, rankBy } from './ranking.ts';
import { stepFeatures } from './step-features.ts';
import { readStepModels, type StepModelFile, type StepModels } from './step-model.ts';
import generated from './step-models.generated.json' with { type: 'json' };

let shipped: StepModels | null = null;

/**
 * The steps of a failed run, ordered by the probability that each decided the failure. It assumes that the run failed: for
 * a successful run it still names a step. Null if no step has output.
 */
export const rankSteps: (trace: Trace) => Attribution | null = memoizeByRef(ranking);

function ranking(trace: Trace): Attribution | null {
  shipped ??= readStepModels(
    generated as unknown as Readonly<Record<'group' | 'orchestrated' | 'single' | 'other', StepModelFile>>,
  );
  const models = shipped;
  return rankBy(stepFeatures(trace), (shape) => models[shape]);
}
