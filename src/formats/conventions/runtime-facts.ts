import { isJsonObject, type Json } from '../../core/json.ts';
import type { Attributes } from '../../core/span.ts';
import {
  type Checkpoint,
  type ErrorFallback,
  type FailedCode,
  type FailureSettings,
  type MissingField,
  ON_ERROR,
  type Rounds,
  type StartedRun,
} from '../../core/trace.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { asCount, asText, jsonAt, textAt, textsAt } from './attribute-values.ts';
import type { FactsReader } from './step-facts.ts';

/**
 * Facts of workflow runtimes about a step: rounds, the replacement for a failed result, checkpoints, the model that
 * answered.
 */
export const readRuntimeFacts: FactsReader = ({ attributes }) => ({
  answeredBy: textAt(attributes, 'gen_ai.response.model', 'ai.response.model'),
  errorFallback: errorFallbackIn(attributes[MISSTEP.errorFallback]),
  failureSettings: failureSettingsIn(attributes),
  rounds: roundsIn(attributes),
  round: asCount(attributes[MISSTEP.round]),
  missingFields: missingIn(jsonAt(attributes, MISSTEP.missingFields)),
  startedRuns: startedRunsIn(jsonAt(attributes, MISSTEP.startedRuns)),
  failedCode: failedCodeIn(jsonAt(attributes, MISSTEP.failedCode)),
  checkpoints: checkpointsIn(
    jsonAt(attributes, 'langgraph.checkpoints') ?? jsonAt(attributes, 'graphruntime.checkpoints'),
  ),
  isInterrupted: attributes['langgraph.interrupted'] === true ? true : undefined,
});

const ERROR_FALLBACKS: Readonly<Record<string, ErrorFallback>> = {
  default_value: 'default_value',
  fail_branch: 'fail_branch',
  other_model: 'other_model',
  error_item: 'error_item',
  dropped_item: 'dropped_item',
};

function errorFallbackIn(value: Json | undefined): ErrorFallback | undefined {
  return typeof value === 'string' && Object.hasOwn(ERROR_FALLBACKS, value) ? ERROR_FALLBACKS[value] : undefined;
}

/** In our terms, or of Vercel's AI SDK, whose number of retries excludes the first attempt. */
function failureSettingsIn(attributes: Attributes): FailureSettings | undefined {
  const retries = asCount(attributes['ai.settings.maxRetries']);
  const value = jsonAt(attributes, MISSTEP.failureSettings);
  if (!isJsonObject(value)) return retries === undefined ? undefined : { attempts: retries + 1 };
  const attempts = asCount(value.attempts);
  const waitMs = asCount(value.waitMs);
  const onError = ON_ERROR.find((each) => each === value.onError);
  return {
    ...(attempts === undefined ? {} : { attempts }),
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(onError === undefined ? {} : { onError }),
  };
}

/** From attributes that already use our terms. */
export function roundsIn(attributes: Attributes): Rounds | undefined {
  const kind = attributes[MISSTEP.roundsKind];
  if (kind !== 'items' && kind !== 'loop') return undefined;
  const leftEarly = attributes[MISSTEP.roundsLeftEarly];
  return {
    kind,
    planned: asCount(attributes[MISSTEP.roundsPlanned]) ?? null,
    run: asCount(attributes[MISSTEP.roundsRun]) ?? null,
    returned: asCount(attributes[MISSTEP.roundsReturned]) ?? null,
    hasLeftEarly: typeof leftEarly === 'boolean' ? leftEarly : null,
  };
}

function missingIn(value: Json | undefined): MissingField[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isJsonObject).flatMap(({ path, setting, alike }) => {
    const at = asText(path);
    return at === undefined ? [] : [{ path: at, setting: asText(setting) ?? '', alike: asText(alike) ?? null }];
  });
}

function startedRunsIn(value: Json | undefined): StartedRun[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isJsonObject).flatMap((entry) => {
    const [id, workflow] = [asText(entry.id), asText(entry.workflow)];
    return id === undefined || workflow === undefined ? [] : [{ id, workflow }];
  });
}

function failedCodeIn(value: Json | undefined): FailedCode | undefined {
  if (!isJsonObject(value)) return undefined;
  const [line, text] = [asCount(value.line), asText(value.text)];
  if (line === undefined || text === undefined) return undefined;
  const { isFromInput } = value;
  return {
    line,
    text,
    value: asText(value.value) ?? null,
    isFromInput: typeof isFromInput === 'boolean' ? isFromInput : null,
  };
}

/** `[{id, parent_id, step, source, at_ms, done, failed, is_own}]` */
function checkpointsIn(value: Json | undefined): Checkpoint[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isJsonObject).flatMap((entry) => {
    const id = asText(entry.id);
    if (id === undefined) return [];
    const checkpoint: Checkpoint = {
      id,
      parentId: asText(entry.parent_id) ?? null,
      superstep: typeof entry.step === 'number' ? entry.step : null,
      source: asText(entry.source) ?? null,
      atMs: asCount(entry.at_ms) ?? 0,
      done: textsAt(entry, 'done'),
      failed: textsAt(entry, 'failed'),
      isOwn: entry.is_own !== false,
    };
    return [checkpoint];
  });
}
