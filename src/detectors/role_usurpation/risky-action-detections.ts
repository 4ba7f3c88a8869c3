import type { Fix, FixChange } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { jsonPatched } from '../_kit/patch.ts';
import { cut } from '../_kit/text.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { Doubt, UnrequestedAction } from './unrequested-action.ts';

/** One detection per kind of risky action; further actions of a kind are part of the first one. */
export function riskyActionDetections<Subtype extends string>(
  trace: Trace,
  subtype: Subtype,
  done: readonly UnrequestedAction[],
): DetectionDraft<Subtype>[] {
  const kinds = [...Map.groupBy(done, ({ action, use }) => `${use.agent} ${action.key}`).values()];
  return kinds.map((actions) => draft(trace, subtype, actions)).slice(0, MAX_DETECTIONS);
}

const MAX_DETECTIONS = 5;

function draft<Subtype extends string>(
  trace: Trace,
  subtype: Subtype,
  actions: readonly UnrequestedAction[],
): DetectionDraft<Subtype> {
  const chosen = actions.find(({ outcome }) => outcome === 'ran') ?? actions[0]!;
  const { action, use } = chosen;
  const agent = use.agent ?? 'The agent';
  const others = actions.length === 1 ? '' : ` It took ${actions.length} such actions in this run.`;
  return {
    subtype,
    score: scoreOf(chosen),
    step: use.step,
    steps: [use.step, ...actions.map((one) => one.use.step).filter((step) => step !== use.step)],
    agent: use.agent,
    explanation: `At step ${use.step} ${agent} ${outcomeText(chosen)} It ${action.does}. ${chosen.doubt === null ? action.why : DOUBTS[chosen.doubt]}${others}`,
    suggestedAction: action.instead,
    evidence: [
      {
        kind: 'call',
        spanId: trace.steps[use.step]!.spanId,
        path: 'tool.arguments',
        quote: cut(action.quote, 300),
        value: chosen.outcome,
      },
    ],
    fixes: [permissionFix(trace, chosen), checkFix('workflow_change', check(chosen))],
    key: action.key,
  };
}

const DOUBTS: Record<Doubt, string> = {
  language: 'Whether the user asked for it is not known: the rules do not know the language of the request.',
  rejected: 'Whether the user asked for it is not known: some records of the run were rejected.',
  named: 'The user named this place; whether that was a request to do so is not known.',
};

/** An action that was only attempted, or that may have been requested, is info, not a warning. */
function scoreOf({ action, outcome, doubt }: UnrequestedAction): number {
  if (doubt !== null) return 0.45;
  if (outcome !== 'ran') return 0.5;
  if (action.isIrreversible) return 0.92;
  return action.isMinor ? 0.55 : 0.8;
}

function outcomeText({ action, use, outcome }: UnrequestedAction): string {
  const call = `${use.name} with "${cut(action.quote.replace(/\s+/g, ' '), 160)}"`;
  if (outcome === 'ran') return `called ${call}.`;
  const why = {
    refused: 'it was refused',
    failed: 'the system kept it from doing so',
    open: 'nothing says that it ran',
  }[outcome];
  return `tried to call ${call}; ${why}.`;
}

/** If the agent's own settings contain a list of commands that need approval, a line for it; else a rule in words. */
function permissionFix(trace: Trace, done: UnrequestedAction): Fix {
  const { action, use } = done;
  return {
    fixType: 'config_change',
    title: `Require approval before ${use.name} does this`,
    description: `Require approval for "${action.prefix}" of ${use.name}; a rule in the prompt does not prevent the call.`,
    rationale: 'The agent had the permission for this action, and no approval was required.',
    confidence: 0.6,
    risk: 'low',
    changes: [trace.framework === 'claude-code' ? claudeSetting(done) : wordedSetting(trace, done)],
    isBreaking: false,
    requiresTesting: true,
  };
}

/** The syntax of permission rules in Claude Code. */
function claudeSetting({ action, use }: UnrequestedAction): FixChange {
  const file = '.claude/settings.json';
  if (action.prefix === 'dangerouslyDisableSandbox')
    return jsonPatched(file, { sandbox: { enabled: true } }, [
      { op: 'add', path: '/sandbox/allowUnsandboxedCommands', value: false },
    ]);
  const isFile = /^[~/]/.test(action.prefix);
  const rule =
    use.command !== null ? `${use.name}(${action.prefix}:*)` : isFile ? `${use.name}(${action.prefix})` : use.name;
  return jsonPatched(file, { permissions: { ask: [] } }, [{ op: 'add', path: '/permissions/ask/-', value: rule }]);
}

function wordedSetting({ framework }: Trace, { action, use }: UnrequestedAction): FixChange {
  const target = `${SETTINGS[framework] ?? 'permissions of the agent'} (${use.agent ?? use.name})`;
  const after =
    CHANGED_SETTINGS[framework]?.(action.prefix) ??
    `${use.name}: "${action.prefix} …" only after a person has said yes`;
  return { target, format: 'text', before: null, after };
}

const SETTINGS: Readonly<Record<string, string>> = {
  codex: 'approval policy and rules of Codex',
  'gemini-cli': 'tools.exclude in .gemini/settings.json',
  cursor: 'permissions of Cursor',
  openclaw: 'tools.exec in openclaw.json',
};

const CHANGED_SETTINGS: Readonly<Record<string, (prefix: string) => string>> = {
  codex: (prefix) => `prefix_rule(pattern = ${JSON.stringify(prefix.split(' '))}, decision = "prompt")`,
  'gemini-cli': (prefix) => `"tools": { "exclude": ["run_shell_command(${prefix})"] }`,
  cursor: (prefix) => `"permissions": { "deny": ["Shell(${prefix.split(' ')[0]})"] }`,
  openclaw: () => '"tools": { "exec": { "ask": "always" } }',
};

function check({ action, use }: UnrequestedAction): Parameters<typeof checkFix>[1] {
  return {
    title: `Check the arguments of ${use.name} before it runs`,
    target: `a hook before ${use.name}`,
    description: `Add a check before ${use.name} that stops commands of this kind and tells the agent why.`,
    after: `before ${use.name}: stop "${action.prefix}" unless the user asked for it; answer: ${action.instead}`,
    why: 'A check before the call works regardless of the prompt.',
  };
}
