import type { Step, Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { counted } from '../_kit/text.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { isOtherModel } from './model-family.ts';

/** Providers in which a model name is the customer's own name for a deployment. */
const OWN_NAMES = /azure|az\.ai/i;

/** Answers that did not come from the requested model: replaced by the provider, by a backup model, or by a fixed value. */
export function findModelFallbacks(trace: Trace): DetectionDraft<'model_fallback'>[] {
  const calls = trace.steps.filter(({ kind }) => kind === 'llm');
  const swapped = calls.flatMap((step) => swappedBy(step) ?? []);
  const backedUp = calls.flatMap((step, at) => backupOf(step, calls.slice(at + 1, at + 1 + MAX_NEXT_CALLS)) ?? []);
  const groups = Map.groupBy(
    [...swapped, ...backedUp],
    ({ requested, answered, how }) => `${requested} ${answered} ${how}`,
  );
  return [...groups.values()].map((group) => draftOf(trace, group));
}

/**
 * Number of later calls that can be a substitute. A substitute is called at once, or by the next branch; later calls are
 * other work.
 */
const MAX_NEXT_CALLS = 4;

interface Fallback {
  step: Step;
  requested: string;
  /** Null if a fixed value replaced the answer. */
  answered: string | null;
  how: 'provider' | 'backup' | 'default';
  /** The step that answered instead, if it is another step. */
  by: Step | null;
}

function swappedBy(step: Step): Fallback | null {
  const { model, answeredBy, error, provider } = step;
  if (model === null || answeredBy === undefined || error !== null || OWN_NAMES.test(provider ?? '')) return null;
  if (!isOtherModel(model, answeredBy)) return null;
  return { step, requested: model, answered: answeredBy, how: 'provider', by: null };
}

/** The backup of a failed call: by its settings, or a repetition of the same input with another model. */
function backupOf(step: Step, following: readonly Step[]): Fallback | null {
  if (step.error === null) return null;
  const requested = step.model ?? step.name;
  if (step.errorFallback === 'default_value') return { step, requested, answered: null, how: 'default', by: null };
  const next = following.find((other) => answersFor(other, step));
  if (next === undefined || step.model === null || next.error !== null) return null;
  if (next.model === null || !isOtherModel(step.model, next.model)) return null;
  return { step, requested, answered: next.model, how: 'backup', by: next };
}

function answersFor(other: Step, failed: Step): boolean {
  if (other.parent !== failed.parent || other.kind !== 'llm') return false;
  if (failed.errorFallback === 'fail_branch' || failed.errorFallback === 'other_model') return true;
  const [one, same] = [inputTextOf(failed), inputTextOf(other)];
  return one !== '' && one === same && (other.startMs ?? 0) >= (failed.endMs ?? failed.startMs ?? 0);
}

function inputTextOf({ input, inputMessages }: Step): string {
  return inputMessages.length > 0 ? JSON.stringify(inputMessages.map(({ role, content }) => [role, content])) : input;
}

/** Another model may be a configured backup: info. A fixed text is not a model answer: a warning. */
const SCORE: Record<Fallback['how'], number> = { default: 0.7, backup: 0.5, provider: 0.5 };

function draftOf(trace: Trace, group: readonly Fallback[]): DetectionDraft<'model_fallback'> {
  const { step, requested, answered, how, by } = group[0]!;
  const who = step.agent ?? step.node ?? step.name;
  const times = group.length === 1 ? '' : ` ${counted(group.length, 'time')}`;
  const target = `model settings of ${who}`;
  return {
    subtype: 'model_fallback',
    score: SCORE[how],
    step: (by ?? step).index,
    steps: group.flatMap((one) => (one.by === null ? [one.step.index] : [one.by.index, one.step.index])),
    agent: step.agent,
    explanation: `${EXPLANATION[how]({ who, requested, answered, at: step.index, by: by?.index ?? step.index })}${times === '' ? '' : ` This happened${times}.`}`,
    suggestedAction: `Find out why ${requested} did not answer ${who}, and decide which model may replace it.`,
    evidence: group.slice(0, 4).map((one) => ({
      kind: 'model',
      spanId: trace.steps[(one.by ?? one.step).index]!.spanId,
      path: how === 'provider' ? 'gen_ai.response.model' : 'model',
      quote: null,
      value: { requested: one.requested, answered: one.answered },
    })),
    fixes: [
      checkFix('config_change', {
        title:
          answered === null
            ? `Do not answer for ${requested} with a fixed text`
            : `Define whether ${answered} may replace ${requested}`,
        target,
        description:
          answered === null
            ? `Replace the default value of ${who} by a branch that asks another model, or that tells the user that no answer could be given.`
            : `Name the models that may answer for ${who}, test its prompts with each, and mark answers of a substitute.`,
        after: `model: ${requested}\nfallback_models: [${answered ?? '<a model of the same size>'}]\non_fallback: mark the answer and count it`,
        why: 'A substitute may be weaker, more expensive, or not allowed to see the data.',
      }),
    ],
    key: `${requested} ${answered ?? 'default'}`,
  };
}

interface FallbackFacts {
  who: string;
  requested: string;
  answered: string | null;
  at: number;
  by: number;
}

const EXPLANATION: Record<Fallback['how'], (facts: FallbackFacts) => string> = {
  provider: ({ who, requested, answered, at }) =>
    `${who} asked for ${requested} at step ${at}, and the answer says that it came from ${answered}: the provider or a router replaced the model.`,
  backup: ({ who, requested, answered, at, by }) =>
    `The call of ${who} to ${requested} failed at step ${at}, and ${answered} answered in its place at step ${by}.`,
  default: ({ who, requested, at }) =>
    `The call of ${who} to ${requested} failed at step ${at}, and the run continued with the default value of the node as if a model had answered.`,
};
