import type { Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { isComplete } from '../_kit/completeness.ts';
import { type DetectionDraft, defineDetector } from '../_kit/define.ts';
import { counted, cut, joined, stepsText } from '../_kit/text.ts';
import { checkFix, joinedCallsAction, joinedCallsFix } from '../_readings/conduct/remedy.ts';
import {
  callsWrittenAsText,
  claimedTools,
  missingTools,
  type Provision,
  type ProvisionGap,
  resultsWrittenAsText,
  unknownTools,
} from './gaps.ts';
import { toolProvisionManifest } from './manifest.ts';

export const toolProvision = defineDetector({
  ...toolProvisionManifest,
  detect(trace, _options, report) {
    const found = [
      ...unknownTools(trace),
      ...missingTools(trace),
      // A rejected record may contain the call.
      ...(isComplete(trace)
        ? [...callsWrittenAsText(trace), ...resultsWrittenAsText(trace), ...claimedTools(trace)]
        : []),
    ];
    for (const provision of found.slice(0, MAX_DETECTIONS)) report(draftOf(trace, provision));
  },
});

const MAX_DETECTIONS = 20;

function draftOf(trace: Trace, provision: Provision): DetectionDraft<ProvisionGap> {
  const { subtype, score, steps, agent, tool, quote, path, joined: joinedNames } = provision;
  const name = agent ?? trace.steps[steps[0]]!.name;
  return {
    subtype,
    score,
    step: steps[0],
    steps,
    agent,
    explanation: `${EXPLANATION[subtype](name, provision)} "${cut(quote.replace(/\s+/g, ' '), 140)}"`,
    suggestedAction: joinedNames === undefined ? ACTION[subtype](name, tool) : joinedCallsAction(name),
    evidence: [{ kind: 'text', spanId: trace.steps[steps[0]]!.spanId, path, quote, value: null }],
    fixes: [fixFor(trace, provision, name)],
    // The model called tools that it was given.
    ...(joinedNames === undefined ? {} : { title: JOINED_TITLE, promptRule: null }),
    key: subtype === 'missing_tool' || joinedNames !== undefined ? name : tool,
  };
}

const JOINED_TITLE = 'Several calls were joined into one';

const EXPLANATION: Record<ProvisionGap, (name: string, provision: Provision) => string> = {
  unknown_tool: (name, { tool, steps, joined: names }) =>
    names !== undefined
      ? `At step ${steps[0]} ${name} called ${tool}, a tool that does not exist. This name is a sequence of names of other tools (${namesText(names)}), so several calls of one turn were joined into one, which the runtime rejected${steps.length > 1 ? ` (${counted(steps.length, 'such call')} in this run: ${stepsText(steps)})` : ''}:`
      : `${name} called ${tool} ${counted(steps.length, 'time')} (first at step ${steps[0]}), a tool that does not exist:`,
  missing_tool: (name, { steps }) =>
    `${name} said in ${counted(steps.length, 'turn')} (first at step ${steps[0]}) that it has no tool or access for what was asked:`,
  call_written_as_text: (name, { tool, steps }) =>
    `At step ${steps[0]} ${name} wrote a call of ${tool} into its text and made no call, so ${tool} was not carried out${steps.length > 1 ? ` (${counted(steps.length, 'such message')} in this run: ${stepsText(steps)})` : ''}:`,
  result_written_as_text: (name, { tool, steps }) =>
    `At step ${steps[0]} ${name} wrote a call of ${tool} and the result of the call into one answer. This call is not in the trace, so the model wrote the result itself${steps.length > 1 ? ` (${counted(steps.length, 'such answer')} in this run: ${stepsText(steps)})` : ''}:`,
  claimed_tool_use: (name, { tool, steps }) =>
    `At step ${steps[0]} ${name} says that it used ${tool}, but ${tool} was never called in this run:`,
};

function namesText(names: readonly string[]): string {
  return new Set(names).size === 1 ? `${names[0]} ${counted(names.length, 'time')}` : joined(names);
}

const ACTION: Record<ProvisionGap, (name: string, tool: string) => string> = {
  unknown_tool: (name, tool) => `Give ${name} the tool ${tool}, or name in its instructions the tool to use instead.`,
  missing_tool: (name) => `Give ${name} the tool it asks for, or route such tasks to an agent that has it.`,
  call_written_as_text: (name) =>
    `Make ${name} use the model's native tool calling, and send a written call back for repair.`,
  result_written_as_text: (name, tool) =>
    `Stop the generation of ${name} before the result, and make the call of ${tool}. Reject answers that contain a result.`,
  claimed_tool_use: (name, tool) => `Reject the answer of ${name} until ${tool} has been called.`,
};

function fixFor(trace: Trace, { subtype, tool, quote, stop, joined: names }: Provision, name: string): Fix {
  if (names !== undefined) return joinedCallsFix(name);
  if (subtype === 'unknown_tool') {
    const known = trace.toolDefinitions.map((definition) => definition.name).slice(0, 12);
    return checkFix('tool_change', {
      title: `Answer a call of ${tool} with the tools that exist`,
      target: tool,
      description: `Register ${tool}, or let the tool router answer unknown names with the list of those that ${name} has.`,
      after: `{"error": "unknown tool ${tool}", "available": ${JSON.stringify(known)}}`,
      why: 'A model that receives only "unknown tool" guesses again.',
    });
  }
  if (subtype === 'missing_tool')
    return checkFix('tool_change', {
      title: `Provide ${name} with what it lacks`,
      target: `tools of ${name}`,
      description: `Add a tool for what ${name} says it cannot do, or a rule that hands such tasks to an agent or person who can.`,
      after: `tool or handoff for: ${cut(quote.replace(/\s+/g, ' '), 160)}`,
      why: 'The agent named the gap itself.',
    });
  if (stop !== undefined)
    return checkFix('config_change', {
      title: `Let ${name} stop where the result of a call begins`,
      target: `model settings of ${name}`,
      description: `Set a stop sequence, or use native tool calling: the model then returns after the call of ${tool}, and the program adds the result.`,
      after: `stop: [${JSON.stringify(stop)}]`,
      why: 'Without a stop sequence, a model continues with a result of its own.',
    });
  return checkFix('config_change', {
    title:
      subtype === 'claimed_tool_use'
        ? `Require a call of ${tool} behind the claim`
        : `Read calls of ${tool} from the tool channel only`,
    target: `model settings of ${name}`,
    description:
      subtype === 'claimed_tool_use'
        ? `Set tool_choice so that ${tool} is called before ${name} may answer, and compare claims with the calls made.`
        : `Use a model and a template with native tool calling for ${name}; if a turn contains a written call, return "use the tool interface" and let it repeat.`,
    after:
      subtype === 'claimed_tool_use'
        ? `tool_choice: {"name": "${tool}"} until it has answered`
        : 'tool_choice: "auto" with native tools; reject turns that match a written call',
    why: 'Text about a call has no effect.',
  });
}
