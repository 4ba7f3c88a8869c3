import type { Fix } from '../../core/detection.ts';
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
  const { fixes } = draft;
  const names = namesOf(trace, draft);
  const changesPrompt = fixes.some(({ changes }) => changes.some(({ format }) => format === 'unified-diff'));
  const changesTool = fixes.some(({ changes }) => changes.some(({ format }) => format === 'json-patch'));
  return [
    ...fixes,
    ...present(nodeSettingsFix(trace, draft)),
    ...(changesTool ? [] : present(toolFix(trace, draft, names))),
    ...(changesPrompt ? [] : present(promptFix(trace, draft, names))),
  ];
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
  if (!promptRule || !systemPrompt(trace, agent)?.trim()) return null;
  const rule = promptRule(names);
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
  if (!toolNote || definition === undefined) return null;
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
