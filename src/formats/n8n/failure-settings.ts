import type { JsonObject } from '../../core/json.ts';
import type { FailureSettings, OnError } from '../../core/trace.ts';
import { countOrNull } from './json-fields.ts';

/** n8n's defaults and limits for a node with Retry On Fail. */
const TRIES = { default: 3, least: 2, most: 5 };
const WAIT_MS = { default: 1_000, most: 5_000 };

/** What n8n does if the node fails for an item. It applies its limits to the stored numbers. */
export function failureSettingsOf(
  node: JsonObject,
): Required<Pick<FailureSettings, 'attempts' | 'onError'>> & FailureSettings {
  const onError = onErrorOf(node);
  if (node.retryOnFail !== true) return { attempts: 1, onError };
  const tries = countOrNull(node.maxTries) ?? TRIES.default;
  const waitMs = countOrNull(node.waitBetweenTries) ?? WAIT_MS.default;
  return {
    attempts: Math.min(TRIES.most, Math.max(TRIES.least, tries)),
    waitMs: Math.min(WAIT_MS.most, waitMs),
    onError,
  };
}

/** `onError` is the newer spelling of `continueOnFail`. */
function onErrorOf({ continueOnFail, onError }: JsonObject): OnError {
  if (onError === 'continueErrorOutput') return 'error_output';
  const isContinued = typeof onError === 'string' ? onError !== 'stopWorkflow' : continueOnFail === true;
  return isContinued ? 'error_item' : 'stop';
}
