import { AGENT_NAMES, type HookAgent, type HookScope } from './agents.ts';

export interface HookCommandOptions {
  scope: HookScope;
  /** The command that starts this program; for projects a portable one, since other machines read their settings, too. */
  program: readonly string[];
  /** Data folder in the command if it is not the default; null: the default. */
  dataFolder: string | null;
  server: string | null;
  tenant: string | null;
  hasFeedback: boolean;
}

/** The shell command of one event's hook. */
export function hookCommand(agent: HookAgent, event: string, options: HookCommandOptions): string {
  const isWarning = options.hasFeedback && agent.feedbackEvents.includes(event);
  const words = [
    ...options.program,
    'ingest',
    '--agent',
    agent.name,
    ...flag('--data', options.dataFolder),
    ...flag('--server', options.server),
    ...flag('--tenant', options.tenant),
    ...(isWarning ? ['--feedback'] : []),
  ];
  return words.map(quoted).join(' ');
}

function flag(name: string, value: string | null): string[] {
  return value === null ? [] : [name, value];
}

/** POSIX quoting, if needed. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

const BY_NAME = /(?:^|[\s"'\\/])misstep(?:\.ts|\.exe)?["']?\s(?:[^|;&]{0,2000}\s)?ingest(?:\s|$)/;
const BY_AGENT = new RegExp(`\\singest --agent (?:${AGENT_NAMES.join('|')})(?:\\s|$)`);

/** Whether a hook pipes its record to this program, added by `hooks install` or by hand. */
export function isOurCommand(command: string): boolean {
  return BY_NAME.test(command) || BY_AGENT.test(command);
}

/** The program that a Misstep command starts, without its quotes; null if unknown. */
export function programOf(command: string): string | null {
  const first = /^(?:'((?:[^']|'\\'')+)'|"([^"]+)"|(\S+))/.exec(command);
  return first?.[1]?.replaceAll(`'\\''`, "'") ?? first?.[2] ?? first?.[3] ?? null;
}
