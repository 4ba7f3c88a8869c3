import { isJsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { defineDetector } from '../_kit/define.ts';
import { type SchemaViolation, schemaViolations } from '../_kit/json-schema.ts';
import { yesSupports } from '../_kit/question.ts';
import { counted, cut } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { contraryApprovals } from './contrary-approvals.ts';
import type { FoundFlaw } from './flaw.ts';
import { ignoredChecks } from './ignored-checks.ts';
import { outputValidationManifest } from './manifest.ts';
import { otherResults } from './other-result.ts';
import { formQuestions } from './questions.ts';
import { rejectedOutputs } from './rejected-outputs.ts';
import { formatFlaws } from './requested-format.ts';
import { wrongSums } from './wrong-sums.ts';

export const outputValidation = defineDetector({
  ...outputValidationManifest,
  questions: formQuestions,
  conclude: yesSupports,
  detect(trace, _options, report) {
    for (const { kind, path, quote, shownAt, fix, ...flaw } of [
      ...formatFlaws(trace),
      ...rejectedOutputs(trace),
      ...argumentFlaws(trace),
      ...ignoredChecks(trace),
      ...wrongSums(trace),
      ...otherResults(trace),
      ...contraryApprovals(trace),
    ])
      report({
        ...flaw,
        step: flaw.steps[0],
        evidence: [{ kind, spanId: trace.steps[shownAt ?? flaw.steps[0]]!.spanId, path, quote, value: null }],
        fixes: [fix],
      });
  },
});

/** Score of arguments that the tool accepted: info. */
const ACCEPTED_SCORE = 0.5;

function argumentFlaws(trace: Trace): FoundFlaw[] {
  const schemas = new Map(trace.toolDefinitions.map(({ name, parameters }) => [name, parameters]));
  if (schemas.size === 0) return [];
  const broken = toolUses(trace).flatMap((use) => {
    const schema = schemas.get(use.name) ?? null;
    const first = isJsonObject(use.arguments) ? worstViolation(schemaViolations(use.arguments, schema)) : undefined;
    return first === undefined ? [] : [{ use, violation: first }];
  });
  const groups = Map.groupBy(broken, ({ use, violation }) => `${use.name} ${violation.path}`);
  return [...groups].slice(0, 20).map(([key, group]) => {
    const first = group.find(({ use }) => use.isError) ?? group[0]!;
    const { use, violation } = first;
    const others = group.filter((other) => other !== first);
    const steps: [number, ...number[]] = [use.step, ...others.map(({ use: other }) => other.step)];
    const outcome = use.isError ? ' The call failed.' : use.hasResult ? ' The tool accepted it.' : '';
    return {
      subtype: 'arguments_off_schema',
      // A successful call shows that the schema is stricter than the tool.
      score: violation.isHarmless ? 0.36 : use.isError ? 0.75 : ACCEPTED_SCORE,
      steps,
      agent: use.agent,
      explanation: `${use.name} was called ${counted(steps.length, 'time')} (${steps.length === 1 ? '' : 'for example '}at step ${use.step}) with arguments that its declared schema does not allow: ${violation.path === '' ? 'the whole' : violation.path} ${violation.what}.${outcome}`,
      suggestedAction: `Check the arguments of ${use.name} against its schema before the call, and return the violation to the model.`,
      kind: 'call',
      path: 'tool.arguments',
      quote: cut(use.argumentsText, 280),
      fix: checkFix('tool_change', {
        title: `Use strict schemas for ${use.name}`,
        target: `${use.name} ${violation.path}`,
        description: `Turn on strict tool calling if the model supports it, and describe ${violation.path === '' ? 'the arguments' : violation.path} with an example in the schema of ${use.name}.`,
        after: `"strict": true; on a violation return {"error": "${violation.path} ${violation.what.replaceAll('"', "'")}"}`,
        why: 'The schema states what is allowed, but nothing enforces it.',
      }),
      key,
    };
  });
}

function worstViolation(all: readonly SchemaViolation[]): SchemaViolation | undefined {
  return all.find(({ isHarmless }) => !isHarmless) ?? all[0];
}
