import type { Fix, FixChange } from '../../core/detection.ts';
import type { Json } from '../../core/json.ts';
import type { Step, ToolDefinition, Trace } from '../../core/trace.ts';
import type { RuleNames } from '../_kit/manifest.ts';
import { jsonPatched } from '../_kit/patch.ts';
import { addedRule, systemPrompt } from '../_kit/prompt-rule.ts';
import type { Remedied } from './node-settings.ts';
import { nodeSettingsFix } from './node-settings.ts';

/**
 * The fixes of a detection, with patches for what the trace contains: settings of the failed node, the definition of the
 * tool, and the system prompt of its agent. The prompt is patched only if no fix of the detector does so.
 */
export function patchedFixes(trace: Trace, draft: Remedied): Fix[] {
  const names = namesOf(trace, draft);
  const changesPrompt = draft.fixes.some(({ changes }) => changes.some(({ format }) => format === 'unified-diff'));
  const fixes = draft.fixes.map(withoutPresentRule);
  const changesTool = fixes.some(({ changes }) => changes.some(({ format }) => format === 'json-patch'));
  return [
    ...fixes,
    ...present(nodeSettingsFix(trace, draft)),
    ...(changesTool ? [] : present(toolFix(trace, draft, names))),
    ...(changesPrompt ? [] : present(promptFix(trace, draft, names))),
  ];
}

/** A rule that the instructions already contain did not help: the fix is to check it in code. */
function withoutPresentRule(fix: Fix): Fix {
  const rule = fix.changes.map(presentRule).find((line) => line !== null);
  if (rule === undefined) return fix;
  const who = fix.changes[0]!.target.replace(/ instructions$/, '');
  return {
    ...fix,
    fixType: 'workflow_change',
    title: `Check in code what the instructions of ${who} demand`,
    description: `The instructions of ${who} already contain "${rule}", and the model did not follow it: check it in the program.`,
    rationale: 'The rule was in the instructions during this run.',
    changes: [{ target: who, format: 'text', before: null, after: `a check in the program for: ${rule}` }],
  };
}

/** The line that the change adds to instructions which contain it; null for other changes. */
function presentRule({ format, before, after }: FixChange): string | null {
  if (format !== 'unified-diff' || before === null) return null;
  const added = after.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++'));
  const rule = added.length === 1 ? added[0]!.slice(1) : '';
  return rule !== '' && before.includes(rule) ? rule : null;
}

function present<Value>(value: Value | null): Value[] {
  return value === null ? [] : [value];
}

function namesOf(trace: Trace, { agent, step, steps }: Remedied): RuleNames {
  const places = [...(step === null ? [] : [step]), ...steps].map((place) => trace.steps[place]!);
  const tool = places.find((place) => place.tool !== null)?.tool?.name ?? null;
  return { tool, what: tool ?? agent ?? nameOf(places[0]!) };
}

function nameOf(step: Step): string {
  return step.node ?? step.name;
}

function promptFix(trace: Trace, { promptRule, title, agent, step }: Remedied, names: RuleNames): Fix | null {
  const prompt = systemPrompt(trace, agent)?.trim();
  if (!promptRule || !prompt) return null;
  const rule = promptRule(names);
  if (prompt.includes(rule)) return null;
  const who = agent ?? 'the model';
  return {
    fixType: 'prompt_change',
    title: `Add a rule to the instructions of ${who}`,
    description: `Add to the instructions of ${who}: "${rule}"`,
    rationale: `${title}${step === null ? '' : ` at step ${step}`}; a rule lowers how often it happens, and does not rule it out.`,
    confidence: 0.35,
    risk: 'low',
    changes: [addedRule(trace, agent, rule)],
    isBreaking: false,
    requiresTesting: true,
  };
}

function toolFix(trace: Trace, { toolNote, title, step }: Remedied, { tool }: RuleNames): Fix | null {
  const definition = trace.toolDefinitions.find(({ name }) => name === tool);
  if (!toolNote || definition === undefined || definition.description.includes(toolNote)) return null;
  const description = `${definition.description.trimEnd()} ${toolNote}`.trim();
  const change = jsonPatched(`definition of ${tool}`, shownDefinition(definition), [
    { op: 'replace', path: '/description', value: description },
  ]);
  return {
    fixType: 'tool_change',
    title: `Say in the description of ${tool} how it is to be used`,
    description: `Add to the description of ${tool}: "${toolNote}"`,
    rationale: `${title}${step === null ? '' : ` at step ${step}`}; models read a tool's description before each call.`,
    confidence: 0.35,
    risk: 'low',
    changes: [change],
    isBreaking: false,
    requiresTesting: true,
  };
}

const MAX_CHARACTERS = 4_000;

/** The definition as the sender recorded it, without its parameters if they are long. */
function shownDefinition({ name, description, parameters }: ToolDefinition): Json {
  const isShort = JSON.stringify(parameters).length <= MAX_CHARACTERS;
  return isShort && parameters !== null ? { name, description, parameters } : { name, description };
}
