import { existsSync, readdirSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { readRejected } from '../../features/spool/rejected-records.ts';
import { isDrainable, spoolFolderOf } from '../../features/spool/spool-name.ts';
import { redactMessage } from '../../formats/redaction/redact-message.ts';
import type { CommandContext } from '../context.ts';
import { FRAMEWORK_OF_AGENT } from '../ingest/hook-agent.ts';
import { counted } from '../views/amounts.ts';
import { printableLine } from '../views/printable.ts';
import { type Column, table } from '../views/table.ts';
import { AGENTS, type AgentName, type HookAgent, type HookScope, SCOPES } from './agents.ts';
import { findHooks } from './edit-settings.ts';
import { lastHookCall } from './hook-calls.ts';
import { programOf } from './hook-command.ts';
import { readSettingsFile } from './settings-file.ts';
import { settingsPathOf } from './settings-path.ts';

export interface StatusFlags {
  agent?: AgentName[];
  scope?: HookScope;
}

interface HookStatus {
  agent: AgentName;
  scope: HookScope;
  /** `partly`: some events of the agent have no hook; `program missing`: the hooked program does not exist. */
  state: 'installed' | 'partly' | 'program missing' | 'not installed' | 'unreadable';
  file: string;
  /** As in the settings; null if absent. */
  command: string | null;
  missing_events: string[];
  /** When the agent last called a hook, ISO 8601; null if no call was recorded on this machine. */
  last_called: string | null;
  /** Why the settings cannot be read. */
  problem: string | null;
}

const COLUMNS: readonly Column<HookStatus>[] = [
  { title: 'agent', text: ({ agent }) => agent },
  { title: 'scope', text: ({ scope }) => scope },
  { title: 'state', text: stateText },
  { title: 'file', text: ({ file }) => file },
];

export async function showHookStatus(context: CommandContext, { agent, scope }: StatusFlags): Promise<void> {
  const rows = AGENTS.filter(({ name }) => !agent || agent.includes(name)).flatMap((one) =>
    SCOPES.filter((each) => !scope || each === scope).map((each) => statusOf(one, each, context)),
  );
  const silent = AGENTS.filter(
    ({ name, trust }) =>
      trust !== undefined && rows.some((row) => row.agent === name && stateText(row).endsWith('never called')),
  );
  const rejected = readRejected(spoolFolderOf(context.options.dataFolder));
  const waiting = countWaiting(spoolFolderOf(context.options.dataFolder));
  if (context.options.isJson)
    return context.print.json({ items: rows, waiting_files: waiting, refused_records: rejected?.count ?? 0 });
  context.print.data(table(rows, COLUMNS, context.style));
  for (const { file, problem } of rows) if (problem !== null) context.print.warn(`misstep: ${file}: ${problem}`);
  for (const { trust } of silent) context.print.note(trust!);
  if (rejected !== null) {
    const last = `the last at ${new Date(rejected.lastAtMs).toISOString()}: ${redactMessage(rejected.lastMessage)}`;
    context.print.warn(printableLine(`misstep: ${counted(rejected.count, 'record')} could not be read, ${last}`));
  }
  if (waiting > 0)
    context.print.note(`${counted(waiting, 'file')} of records in the spool; a running server ingests them.`);
}

function statusOf(agent: HookAgent, scope: HookScope, { io, options }: CommandContext): HookStatus {
  const path = settingsPathOf(agent, scope, io);
  const status = { agent: agent.name, scope, file: path, command: null, missing_events: [] };
  const seen = lastHookCall(options.dataFolder, FRAMEWORK_OF_AGENT[agent.name]);
  const last = { last_called: seen === null ? null : new Date(seen).toISOString(), problem: null };
  try {
    const { bytes } = readSettingsFile(path);
    const found = bytes === null ? [] : findHooks(bytes.toString('utf8').replace(/^\ufeff/, ''), path);
    if (found.length === 0) return { ...status, ...last, state: 'not installed' };
    const command = found[0]!.command;
    const missing = agent.events.filter((event) => !found.some((hook) => hook.event === event));
    return { ...status, ...last, state: stateOf(command, missing), command, missing_events: missing };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...status, ...last, state: 'unreadable', problem: error.message };
  }
}

/** Adds "never called" to the state: the agent has not loaded its hooks, or its user has not trusted them. */
function stateText({ state, last_called }: HookStatus): string {
  const isInPlace = state === 'installed' || state === 'partly';
  return isInPlace && last_called === null ? `${state}, never called` : state;
}

function stateOf(command: string, missing: readonly string[]): HookStatus['state'] {
  const program = programOf(command);
  if (program !== null && isAbsolute(program) && !existsSync(program)) return 'program missing';
  return missing.length === 0 ? 'installed' : 'partly';
}

function countWaiting(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder).filter((name) => isDrainable(name, Infinity)).length;
}
