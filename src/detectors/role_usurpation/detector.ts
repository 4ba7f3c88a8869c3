import type { Trace } from '../../core/trace.ts';
import { defineDetector } from '../_kit/define.ts';
import { systemPrompt } from '../_kit/prompt-rule.ts';
import { cut } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { agentTurns } from '../_readings/conduct/conversation.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { bypassedChecks } from './bypassed-checks.ts';
import { destruction } from './destruction.ts';
import { escapes } from './escapes.ts';
import { forbiddenActDetections } from './forbidden-acts.ts';
import { roleUsurpationManifest } from './manifest.ts';
import { rejectedCallDetections } from './rejected-calls.ts';
import { riskyActionDetections } from './risky-action-detections.ts';
import { unreviewedScripts } from './unreviewed-scripts.ts';

export const roleUsurpation = defineDetector({
  ...roleUsurpationManifest,
  detect(trace, _options, report) {
    for (const { agent, step, tool, rule } of forbiddenTools(trace))
      report({
        subtype: 'foreign_tool',
        score: 0.82,
        step,
        steps: [step],
        agent,
        explanation: `${agent} called ${tool} at step ${step}, although its instructions say "${cut(rule, 120)}".`,
        suggestedAction: `Take ${tool} away from ${agent}.`,
        evidence: [{ kind: 'call', spanId: trace.steps[step]!.spanId, path: 'tool', quote: tool, value: rule }],
        fixes: [
          checkFix('config_change', {
            title: `Give ${agent} only the tools of its role`,
            target: `tools of ${agent}`,
            description: `Remove ${tool} from the tools of ${agent}; a rule in the prompt does not prevent the call.`,
            after: `tools of ${agent}: all but ${tool}`,
            why: 'The instructions state the role, but nothing enforces it.',
          }),
        ],
        key: `${agent} ${tool}`,
      });
    for (const { agent, step, other, line } of inventedTurns(trace))
      report({
        subtype: 'speaks_for_others',
        score: 0.62,
        step,
        steps: [step],
        agent,
        explanation: `At step ${step} ${agent} wrote a turn of ${other} itself: "${cut(line, 120)}"`,
        suggestedAction: `Stop the output of ${agent} where the turn of another speaker would begin.`,
        evidence: [{ kind: 'text', spanId: trace.steps[step]!.spanId, path: 'output', quote: line, value: other }],
        fixes: [
          ruleFix(trace, agent, {
            title: 'Write your own turn only',
            rule: `Never write what ${other} says or does; end your turn and wait.`,
            why: 'Other agents treat the invented message as real.',
          }),
        ],
        key: `${agent} ${other}`,
      });
    for (const draft of rejectedCallDetections(trace)) report(draft);
    for (const draft of forbiddenActDetections(trace)) report(draft);
    for (const draft of riskyActionDetections(trace, 'destructive_command', destruction(trace))) report(draft);
    for (const draft of riskyActionDetections(trace, 'sandbox_escape', escapes(trace))) report(draft);
    for (const draft of riskyActionDetections(trace, 'check_bypassed', bypassedChecks(trace))) report(draft);
    for (const draft of riskyActionDetections(trace, 'unreviewed_script', unreviewedScripts(trace))) report(draft);
  },
});

const FORBIDS =
  /\b(?:you (?:must|may|should|can) (?:not|never)|do not|don['’]t|never)\s(?:use|call|invoke|run) (?:the )?(?:tool |function )?[`"'“]?([A-Za-z][\w-]{2,60})[`"'”]?(?! (?:unless|before|until|without|more|twice|if|when|to|for|with))/gi;

interface ForbiddenToolCall {
  agent: string;
  step: number;
  tool: string;
  rule: string;
}

/** Calls of tools that the agent's own system prompt forbids without a condition. */
function forbiddenTools(trace: Trace): ForbiddenToolCall[] {
  const found = new Map<string, ForbiddenToolCall>();
  const rules = rulesByAgent(trace);
  for (const { agent, name, step } of toolUses(trace)) {
    const rule = agent === null ? undefined : rules.get(agent)?.get(name);
    if (rule === undefined || found.has(`${agent} ${name}`)) continue;
    found.set(`${agent} ${name}`, { agent: agent!, step, tool: name, rule });
  }
  return [...found.values()];
}

/** Forbidden tools with the sentences that forbid them, by agent. */
function rulesByAgent(trace: Trace): Map<string, Map<string, string>> {
  const agents = new Set(toolUses(trace).flatMap(({ agent }) => agent ?? []));
  return new Map([...agents].map((agent) => [agent, rulesIn(systemPrompt(trace, agent) ?? '')]));
}

function rulesIn(prompt: string): Map<string, string> {
  const sentences = prompt.slice(0, 20_000).split(/(?<=[.!?])\s|\n/);
  const rules = sentences.flatMap((sentence) =>
    /\b(?:unless|until|before|if|when|without|except|more than)\b/i.test(sentence)
      ? []
      : [...sentence.matchAll(FORBIDS)].map(([, tool]) => [tool!, sentence.trim()] as const),
  );
  return new Map(rules);
}

interface InventedTurn {
  agent: string;
  step: number;
  other: string;
  line: string;
}

const USER_LABELS = ['User', 'Human', 'Customer', '用户', 'ユーザー', 'Nutzer', 'Usuario', 'Utilisateur'];
/** One of these labels at the start of a line. One pattern is faster than a search for each of them. */
const ANY_USER_LABEL = /\n(?:User|Human|Customer|用户|ユーザー|Nutzer|Usuario|Utilisateur): /;

/** A line in the middle of a turn that starts with the user's label, as in transcripts, and is answered in the same turn. */
function inventedTurns(trace: Trace): InventedTurn[] {
  const found = agentTurns(trace).flatMap(({ agent, step, text }): InventedTurn[] => {
    if (agent === null || text.length > 8000) return [];
    if (!ANY_USER_LABEL.test(text)) return [];
    const others = USER_LABELS.filter((name) => text.includes(`\n${name}: `));
    const lines = text.split('\n').slice(1);
    const line = lines.findIndex(
      (each, nth) => lines[nth - 1]?.trim() === '' && others.some((name) => opensTurn(each, name)),
    );
    const isAnswered =
      line !== -1 && lines.slice(line + 1).some((each) => opensTurn(each, agent) || /^(?:Assistant|AI):\s/.test(each));
    return isAnswered
      ? [{ agent, step, other: others.find((name) => opensTurn(lines[line]!, name))!, line: lines[line]! }]
      : [];
  });
  return [...new Map(found.reverse().map((turn) => [`${turn.agent} ${turn.other}`, turn])).values()];
}

function opensTurn(line: string, name: string): boolean {
  return line.startsWith(`${name}: `) && line.length > name.length + 8;
}
