import { isJsonObject, parseJson } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { counted, stepsText } from '../_kit/text.ts';
import { textsAmong } from '../_readings/calls/argument-roles.ts';
import { quotedSentence, statedTrouble } from '../_readings/conduct/closing-sentence.ts';
import { agentTurns } from '../_readings/conduct/conversation.ts';

/** Messages of the agent before its last one that begin with the admission of a failure. */
export interface AdmittedFailures {
  steps: readonly number[];
  /** The first admission. */
  first: string;
  /** First step of the admissions that no other message of the agent interrupts up to its last one; null for fewer than two. */
  since: number | null;
}

const MIN_ADMISSIONS = 2;
const QUOTE_CHARACTERS = 140;

export function admittedFailures(trace: Trace, agent: string | null, before: number): AdmittedFailures | null {
  const turns = agentTurns(trace).filter((turn) => turn.agent === agent && turn.step < before && turn.text !== '');
  const read = turns.map(({ step, text }) => ({ step, trouble: statedTrouble(firstText(text)) }));
  const found = read.filter(({ trouble }) => trouble !== null);
  if (found.length < MIN_ADMISSIONS) return null;
  const series = read.slice(read.findLastIndex(({ trouble }) => trouble === null) + 1);
  const since = series.length < MIN_ADMISSIONS ? null : series[0]!.step;
  return { steps: found.map(({ step }) => step), first: found[0]!.trouble!, since };
}

/** Of a message that is a JSON object, the first text in it. */
function firstText(text: string): string {
  const value = text.trim().startsWith('{') ? parseJson(text) : undefined;
  return value !== undefined && isJsonObject(value) ? (textsAmong(value)[0] ?? '') : text;
}

/** Sentences with a leading space; empty for null. */
export function admittedText(who: string, admitted: AdmittedFailures | null): string {
  if (admitted === null) return '';
  const { steps, first, since } = admitted;
  const all = `${counted(steps.length, 'earlier message')} of ${who} (${stepsText(steps)}) already ${steps.length === 1 ? 'admits' : 'admit'} a failure, the first one: ${quotedSentence(first, QUOTE_CHARACTERS)}`;
  return ` ${all}${since === null || since === steps[0] ? '' : ` From step ${since} on, each of them does.`}`;
}
