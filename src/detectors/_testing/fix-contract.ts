import { applyPatch, parsePatch } from 'diff';
import fastJsonPatch, { type Operation } from 'fast-json-patch';
import type { Fix, FixChange } from '../../core/detection.ts';
import { isJsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { hasWord } from './names-in-text.ts';

/** Violations in the fixes of a detection: too general, or not applicable. Empty if there are none. */
export function fixProblems(trace: Trace, fixes: readonly Fix[]): string[] {
  const unnamed = fixes.length > 0 && !fixes.some((fix) => namesPart(trace, fix));
  return [
    ...(unnamed ? ['has no fix that names a tool, agent, node, model or field of the trace'] : []),
    ...fixes.flatMap(({ confidence, changes, title }) => [
      ...(confidence > 0 && confidence < 1 ? [] : [`has a fix of confidence ${confidence}`]),
      ...(changes.length > 0 ? [] : [`has a fix that changes nothing: ${title}`]),
      ...changes.flatMap((change) => changeProblems(change).map((problem) => `has a fix whose ${problem}`)),
    ]),
  ];
}

function namesPart(trace: Trace, { title, description, changes }: Fix): boolean {
  const text = [title, description, ...changes.flatMap(({ target, after }) => [target, after])].join('\n');
  const names = trace.steps.flatMap((step) => [step.name, step.agent, step.node, step.tool?.name, step.model]);
  const nodes = trace.graph?.nodes.map(({ name }) => name) ?? [];
  const fields = trace.states.flatMap(({ state }) => (isJsonObject(state) ? Object.keys(state) : []));
  const calls = trace.steps.flatMap((step) => step.outputMessages.flatMap(({ toolCalls }) => toolCalls));
  return [...names, ...nodes, ...fields, ...calls.map(({ name }) => name)].some((name) => name && hasWord(text, name));
}

function changeProblems({ target, format, before, after }: FixChange): string[] {
  if (target.trim() === '') return ['change has no target'];
  if (after.trim() === '') return [`change of ${target} says nothing`];
  if (format === 'unified-diff') return diffProblems(target, before, after);
  return format === 'json-patch' ? jsonPatchProblems(target, before, after) : [];
}

function diffProblems(target: string, before: string | null, after: string): string[] {
  if (before === null) return [`diff of ${target} has nothing to apply to`];
  try {
    if (parsePatch(after).length !== 1) return [`diff of ${target} changes several files`];
    const result = applyPatch(before, after);
    if (result === false) return [`diff of ${target} does not apply`];
    return result === before ? [`diff of ${target} changes nothing`] : [];
  } catch (error) {
    return [`diff of ${target} is not a diff: ${String(error)}`];
  }
}

function jsonPatchProblems(target: string, before: string | null, after: string): string[] {
  try {
    const operations = JSON.parse(after) as Operation[];
    if (!Array.isArray(operations) || operations.length === 0)
      return [`patch of ${target} is not a list of operations`];
    const document = before === null ? undefined : JSON.parse(before);
    const problem = fastJsonPatch.validate(operations, document);
    if (problem) return [`patch of ${target} does not apply: ${problem.name}`];
    if (document === undefined) return [];
    const patched = fastJsonPatch.applyPatch(document, operations, true, false).newDocument;
    return JSON.stringify(patched) === JSON.stringify(document) ? [`patch of ${target} changes nothing`] : [];
  } catch (error) {
    return [`patch of ${target} is not JSON: ${String(error)}`];
  }
}
