import { isJsonObject, type Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { oneLine, splitSentences } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { agentTurns } from '../_readings/conduct/conversation.ts';
import type { Failure } from './failure.ts';

/** A sentence says that something was done. */
const DONE =
  /\b(?:is|are|was|were|been|i|i['’]ve|we|we['’]ve|successfully|now)\b[^.!?]{0,60}\b(?:[a-z]{2,15}ed|set|sent|done|made|put|paid|built|written|run)\b/i;
/** It is not yet done, or is asked. */
const OPEN =
  /\b(?:will|would|going to|can|could|should|shall|may|might|if|please|next|need|want|to be|let me)\b|\?\s*$/i;
/** Names with a mark or a digit inside: settings, ids, paths, addresses. */
const NAME = /[\p{L}\p{N}](?:[\p{L}\p{N}]|[_./@#-](?=[\p{L}\p{N}])){3,100}/gu;
const MARKED = /\p{L}[_@/.]\p{L}|\d/u;
const READ_CHARACTERS = 5_000;

/**
 * The sentence of the last answer that says that something was done with a name that only the failed call passed; null if a later
 * call that worked has this name in its arguments or result, or if the call only reads.
 */
export function claimOfFailedAct(trace: Trace, { step, what }: Failure): string | null {
  const answer = agentTurns(trace).at(-1);
  if (!isWhole(trace) || what !== 'tool' || answer === undefined || answer.calls.length > 0) return null;
  const uses = toolUses(trace);
  const failed = uses.find((use) => use.step === step);
  if (failed === undefined || !failed.changesState || answer.step < step) return null;
  const later = uses.filter((use) => use.step > step && use.failure === null);
  const own = (textsIn(failed.arguments).join('\n').slice(0, READ_CHARACTERS).match(NAME) ?? []).filter(
    (name) => MARKED.test(name) && !later.some((use) => `${use.argumentsText}\n${use.resultText}`.includes(name)),
  );
  const sentence = splitSentences(answer.text).find(
    (one) => own.some((name) => one.includes(name)) && DONE.test(one) && !OPEN.test(one),
  );
  return sentence === undefined ? null : oneLine(sentence.trim());
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.slice(0, 50).flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
