import type { Fix, FixChange } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { jsonPatched } from '../_kit/patch.ts';
import { type ContextLoad, largestMessage } from './context-load.ts';

/** Share of the prompt from which the fix is to shorten the results of one tool. */
const DOMINANT_SHARE = 0.4;

/** Whether the agent compacts its conversation, as coding agents do, even if it did not happen in this session. */
export function compactsItself(trace: Trace): boolean {
  return trace.codingSession !== undefined || trace.steps.some(({ compaction }) => compaction !== undefined);
}

/** Fixes that make prompts smaller: shorten the results of the dominant tool, if there is one, and the history. */
export function contextFixes(load: ContextLoad, trace: Trace): Fix[] {
  // Its user can change neither the tools nor how the program builds prompts.
  if (compactsItself(trace)) return [conversationFix(load, trace)];
  const largest = largestMessage(load.step);
  const isTool = largest !== null && largest.message.role === 'tool' && largest.share >= DOMINANT_SHARE;
  return isTool ? [toolFix(largest.message.name ?? 'the tool', largest.share), historyFix(load)] : [historyFix(load)];
}

function toolFix(tool: string, share: number): Fix {
  return {
    fixType: 'tool_change',
    title: `Shorten what ${tool} returns`,
    description: `One result of ${tool} is ${Math.round(share * 100)} % of the prompt. Return the fields that are used, page the rest, or keep the full result outside the prompt and pass a reference.`,
    rationale: 'One result that fills the window leaves no room for the task and the conversation.',
    confidence: 0.6,
    risk: 'low',
    changes: [
      {
        target: tool,
        format: 'text',
        before: null,
        after: 'limit: 50 rows or 2,000 tokens a call, with a cursor for more',
      },
    ],
    isBreaking: false,
    requiresTesting: true,
  };
}

interface Commands {
  compact: string;
  clear: string;
}

const COMMANDS: ReadonlyMap<string, Commands> = new Map([
  ['claude-code', { compact: '/compact', clear: '/clear' }],
  ['codex', { compact: '/compact', clear: '/new' }],
  ['opencode', { compact: '/compact', clear: '/new' }],
  ['pi', { compact: '/compact', clear: '/new' }],
  ['gemini-cli', { compact: '/compress', clear: '/clear' }],
  ['qwen-code', { compact: '/compress', clear: '/clear' }],
]);

/** What the user of a coding agent can do. */
function conversationFix(load: ContextLoad, { framework }: Trace): Fix {
  const who = load.step.agent ?? load.step.name;
  const commands = COMMANDS.get(framework);
  const compact =
    commands === undefined ? 'Compact the conversation' : `Compact the conversation (${commands.compact})`;
  const clear = commands === undefined ? 'start a new session' : `clear it (${commands.clear})`;
  return {
    fixType: 'context_management',
    title: `Compact or clear the conversation of ${who} between tasks`,
    description: `${compact} when a part of the task is done, ${clear} before an unrelated task, and give long searches to subagents, which have a context of their own.`,
    rationale: 'A conversation that is compacted at a good moment keeps what the rest of the task needs.',
    confidence: 0.6,
    risk: 'low',
    changes: [
      {
        target: `${who}: conversation`,
        format: 'text',
        before: null,
        after:
          commands === undefined
            ? 'compact after each part of a task; new session for each task'
            : `${commands.compact} after each part of a task; ${commands.clear} before an unrelated task`,
      },
    ],
    isBreaking: false,
    requiresTesting: false,
  };
}

function historyFix(load: ContextLoad): Fix {
  const budget = load.contextWindow === null ? null : Math.floor((load.contextWindow * 0.6) / 1000) * 1000;
  const who = load.step.agent ?? load.step.name;
  return {
    fixType: 'context_management',
    title: `Keep ${who}'s prompt below a budget`,
    description:
      budget === null
        ? `Before each call of ${who}, summarize all but the task and the newest messages.`
        : `Before each call of ${who}, summarize all but the task and the newest messages once the prompt passes ${budget.toLocaleString('en-US')} tokens (60 % of the window).`,
    rationale:
      'The prompt carries the whole history; a summary keeps what later steps need at a fraction of the tokens.',
    confidence: 0.6,
    risk: 'medium',
    changes: [
      {
        target: `${who}: messages`,
        format: 'text',
        before: 'messages = history',
        after: `messages = trim_messages(history, max_tokens=${budget ?? 'budget'}, strategy="last", include_system=True, start_on="human")`,
      },
    ],
    isBreaking: false,
    requiresTesting: true,
  };
}

export function outputLimitFix(load: ContextLoad): Fix {
  const who = load.step.agent ?? load.step.name;
  const used = load.outputTokens;
  return {
    fixType: 'config_change',
    title: `Raise the output limit of ${who}`,
    description: `The answer ended at the limit${used > 0 ? ` after ${used.toLocaleString('en-US')} tokens` : ''}. Raise it, or ask for the answer in parts, and treat this finish reason as a failure.`,
    rationale: 'The next step cannot distinguish a truncated answer from a complete one.',
    confidence: 0.65,
    risk: 'low',
    changes: [outputLimitChange(who, used)],
    isBreaking: false,
    requiresTesting: true,
  };
}

/** The answer's length is the limit at which it ended. If it is unknown, the change is described in words. */
function outputLimitChange(who: string, used: number): FixChange {
  const target = `${who}: max_tokens`;
  const limit = Math.max(1024, used * 2);
  if (used === 0) return { target, format: 'text', before: null, after: `max_tokens = ${limit}` };
  return jsonPatched(target, { max_tokens: used }, [{ op: 'replace', path: '/max_tokens', value: limit }]);
}
