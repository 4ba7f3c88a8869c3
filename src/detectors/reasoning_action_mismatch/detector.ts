import type { Trace } from '../../core/trace.ts';
import { isComplete } from '../_kit/completeness.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { atSentenceStart, cut } from '../_kit/text.ts';
import { type OtherRecord, otherRecords, rightRecordText } from '../_readings/conduct/other-record.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { type AlteredValue, alteredValues } from './altered-values.ts';
import { type WrongTool, wrongTools } from './announced-tool.ts';
import { reasoningActionMismatchManifest } from './manifest.ts';
import { otherThanExtreme, otherThanExtremeDetection } from './other-than-extreme.ts';
import { rejectedEffectDetections } from './rejected-effects.ts';

type Mismatch =
  | 'announced_other_tool'
  | 'altered_value'
  | 'other_record'
  | 'other_than_extreme'
  | 'rejected_call_claimed';

export const reasoningActionMismatch = defineDetector({
  ...reasoningActionMismatchManifest,
  detect(trace, _options, report) {
    // A rejected record may contain the announced call or the id.
    if (isComplete(trace)) {
      for (const wrong of wrongTools(trace).slice(0, MAX_DETECTIONS)) report(wrongToolDetection(trace, wrong));
      for (const altered of alteredValues(trace).slice(0, MAX_DETECTIONS))
        report(alteredValueDetection(trace, altered));
    }
    for (const draft of rejectedEffectDetections(trace)) report(draft);
    const extreme = otherThanExtreme(trace);
    if (extreme !== null) report(otherThanExtremeDetection(trace, extreme));
    // A user who names the records again may have had the change corrected.
    const others = otherRecords(trace).filter(({ isNamedLater }) => !isNamedLater);
    for (const other of others.slice(0, MAX_DETECTIONS)) report(otherRecordDetection(trace, other));
  },
});

const MAX_DETECTIONS = 10;

function wrongToolDetection(trace: Trace, { turn, sentence, announced, called }: WrongTool): DetectionDraft<Mismatch> {
  const name = turn.agent ?? trace.steps[turn.step]!.name;
  return {
    subtype: 'announced_other_tool',
    score: 0.6,
    step: turn.step,
    steps: turn.step === called.step ? [turn.step] : [turn.step, called.step],
    agent: turn.agent,
    explanation: `At step ${turn.step} ${name} announced ${announced} ("${cut(sentence, 100)}"), but called ${called.name} and did not call ${announced} later.`,
    suggestedAction: `Find out why ${name} called ${called.name} and not ${announced}: unclear descriptions of the two tools are the usual cause.`,
    evidence: [
      { kind: 'text', spanId: trace.steps[turn.step]!.spanId, path: 'output', quote: sentence, value: null },
      {
        kind: 'call',
        spanId: trace.steps[called.step]!.spanId,
        path: 'tool',
        quote: cut(`${called.name} ${called.argumentsText}`, 250),
        value: null,
      },
    ],
    fixes: [
      checkFix('tool_change', {
        title: `Tell ${announced} and ${called.name} apart`,
        target: `descriptions of ${announced} and ${called.name}`,
        description: `Say in the description of each of the two tools when it is the right one and when the other is.`,
        after: `${announced}: use for … ; not for …, which is what ${called.name} does`,
        why: 'The agent announced one tool and called the other.',
      }),
    ],
    key: `${announced} ${called.name}`,
  };
}

function alteredValueDetection(
  trace: Trace,
  { use, path, given, known, knownAt }: AlteredValue,
): DetectionDraft<Mismatch> {
  const source = trace.steps[knownAt] ?? trace.steps[use.step]!;
  return {
    subtype: 'altered_value',
    score: use.isError ? 0.72 : 0.64,
    step: use.step,
    steps: source.index === use.step ? [use.step] : [use.step, source.index],
    agent: use.agent,
    explanation: `At step ${use.step} ${use.name} was called with ${path === '' ? 'the value' : path} "${given}", which no earlier result and no message of the user contains; what had been given at step ${source.index} is "${known}".${use.isError ? ' The call failed.' : ''}`,
    suggestedAction: `Correct the value and repeat the call of ${use.name} with "${known}".`,
    evidence: [
      { kind: 'call', spanId: trace.steps[use.step]!.spanId, path: 'tool.arguments', quote: given, value: null },
      { kind: 'source', spanId: source.spanId, path: null, quote: known, value: null },
    ],
    fixes: [
      checkFix('input_guard', {
        title: `Let ${use.name} accept only known values`,
        target: `${use.name} ${path}`,
        description: `Check ${path === '' ? 'the value' : path} before ${use.name} is carried out: reject an id that no earlier result or message contains, and name the nearest one.`,
        after: `if ${path === '' ? 'the id' : path} was never seen in this run: return {"error": "unknown id", "did_you_mean": "…"}`,
        why: 'Models copy long ids wrongly; a program does not.',
      }),
      ruleFix(trace, use.agent, {
        title: 'Copy ids character by character',
        rule: 'Copy ids exactly as in the tool result or message; never write them from memory.',
        why: `"${given}" and "${known}" differ in single characters: one is a miscopied form of the other.`,
      }),
    ],
    key: `${use.name} ${path}`,
  };
}

function otherRecordDetection(trace: Trace, other: OtherRecord): DetectionDraft<Mismatch> {
  const { use, id, field, given, givenAt, changedKey, changedKeyAt, matchAt } = other;
  const who = use.agent ?? 'the agent';
  const spanOf = (step: number) => trace.steps[step]!.spanId;
  return {
    subtype: 'other_record',
    // If one result contains both records, the user may have named one to request a change of the other: info.
    score: changedKeyAt === matchAt ? 0.5 : 0.66,
    step: use.step,
    steps: [...new Set([use.step, changedKeyAt, matchAt, givenAt])],
    agent: use.agent,
    explanation: `At step ${use.step} ${use.name} changed "${id}", whose ${field} is "${changedKey}" (step ${changedKeyAt}). The user gave "${given}" at step ${givenAt}, which is the ${field} of a record in the result of step ${matchAt}, and ${isComplete(trace) ? 'never named' : 'no recorded message of the user names'} "${changedKey}".`,
    suggestedAction: `Have ${use.name} reject a record whose ${field} is not the one that the user gave; check whether the change of "${id}" has to be undone, and repeat it ${rightRecordText(other)}.`,
    evidence: [
      { kind: 'call', spanId: spanOf(use.step), path: 'tool.arguments', quote: id, value: null },
      { kind: 'source', spanId: spanOf(changedKeyAt), path: 'tool.result', quote: changedKey, value: field },
      { kind: 'source', spanId: spanOf(givenAt), path: 'output', quote: given, value: null },
    ],
    fixes: [
      checkFix('tool_change', {
        title: `Have ${use.name} check the ${field}`,
        target: `parameters of ${use.name}`,
        description: `Add the ${field} that the user gave to the parameters of ${use.name}, and reject the call when the record has another one.`,
        after: `${use.name}(…, ${field}): reject when the ${field} of the record differs`,
        why: `${atSentenceStart(who)} used the id of another record, and nothing compared their ${field}.`,
      }),
    ],
    key: `${use.name} ${field}`,
  };
}
