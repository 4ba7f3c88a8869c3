import { existsSync } from 'node:fs';
import { createTwoFilesPatch } from 'diff';
import { dataFolderOf } from '../../app/config.ts';
import { isExecutable } from '../../app/runtime-assets.ts';
import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../context.ts';
import { toServerAddress } from '../global-options.ts';
import { printable } from '../views/printable.ts';
import {
  AGENTS,
  type AgentName,
  agentNamed,
  type HookAgent,
  type HookScope,
  inScope,
  settingsFolderOf,
} from './agents.ts';
import { agentsWithoutHooks } from './agents-without-hooks.ts';
import { type HookCommandOptions, hookCommand } from './hook-command.ts';
import { type HookPlan, planInstall, planUninstall } from './plan-hooks.ts';
import { readSettingsFile, replaceSettingsFile, type SettingsFile } from './settings-file.ts';
import { settingsPathOf } from './settings-path.ts';
import { openUndoLog, type UndoLog } from './undo-log.ts';

export interface ChangeFlags {
  agent?: AgentName[];
  scope: HookScope;
  dryRun?: boolean;
}

export interface InstallFlags extends ChangeFlags {
  url?: string;
  feedback?: boolean;
  program?: string;
}

/** Result for one agent's settings. */
interface Change {
  agent: AgentName;
  scope: HookScope;
  file: string;
  changed: boolean;
  /** Path of the previous content; null if none is kept. */
  backup: string | null;
}

type Plan = (agent: HookAgent, file: SettingsFile, undoLog: UndoLog) => HookPlan;

export async function installHooks(context: CommandContext, flags: InstallFlags): Promise<void> {
  const options = commandOptions(context, flags);
  const agents = agentsOf(context, flags);
  const changes = changeAll(context, flags, agents, (agent, { bytes, path, target }, undoLog) =>
    planInstall(bytes, undoLog.read(target), agent, (event) => hookCommand(agent, event, options), path),
  );
  printChange(context, flags, changes, 'Hooks of %s were added to %s.', 'Hooks of %s were already in %s.');
  if (options.server !== null && context.options.apiKey === null)
    context.print.note('The server needs a key: give the hooks MISSTEP_API_KEY, or api_key_file in your config file.');
  if (flags.agent === undefined && !context.options.isJson)
    for (const { title, instead } of agentsWithoutHooks(context.io))
      context.print.note(`${title} has no hooks. ${instead}`);
  for (const { trust } of agents) if (trust !== undefined && !context.options.isJson) context.print.note(trust);
  if (options.hasFeedback && agents.length > 0 && agents.every(({ feedbackEvents }) => feedbackEvents.length === 0))
    context.print.note('None of these agents accepts warnings from a hook; they get none.');
}

export async function uninstallHooks(context: CommandContext, flags: ChangeFlags): Promise<void> {
  const agents = flags.agent ? flags.agent.map(agentNamed) : AGENTS;
  const changes = changeAll(context, flags, agents, (_agent, { bytes, path, target }, undoLog) =>
    planUninstall(bytes, undoLog.read(target), path),
  );
  const named = flags.agent ? changes : changes.filter(({ changed }) => changed);
  printChange(context, flags, named, 'Hooks of %s were removed from %s.', 'There were no hooks of %s in %s.');
  if (named.length === 0 && !context.options.isJson) context.print.note('There were no hooks to remove.');
}

/** All changes are planned before the first one is written, so that a file that cannot be edited prevents all of them. */
function changeAll(
  context: CommandContext,
  { scope, dryRun = false }: ChangeFlags,
  agents: readonly HookAgent[],
  plan: Plan,
): Change[] {
  const undoLog = openUndoLog(context.options.dataFolder);
  const planned = agents.map((agent) => {
    const file = readSettingsFile(settingsPathOf(agent, scope, context.io));
    return { agent, file, plan: plan(inScope(agent, scope), file, undoLog) };
  });
  return planned.map(({ agent, file, plan }) => {
    if (dryRun) showDiff(context, file.path, plan);
    else applyPlan(file, plan, undoLog);
    const backup = plan.note === null || dryRun ? null : undoLog.pathOf(file.target);
    return { agent: agent.name, scope, file: file.path, changed: plan.isChanged, backup };
  });
}

/** The undo entry is written first, so that a crash leaves no hooks without an undo entry. */
function applyPlan(file: SettingsFile, plan: HookPlan, undoLog: UndoLog): void {
  if (plan.note !== null) undoLog.write({ file: file.target, ...plan.note });
  if (plan.isChanged) replaceSettingsFile(file, plan.after);
  if (plan.note === null) undoLog.forget(file.target);
}

function showDiff({ print }: CommandContext, path: string, { before, after, isChanged }: HookPlan): void {
  if (!isChanged) return;
  const [previousText, plannedText] = [before?.toString('utf8') ?? '', after?.toString('utf8') ?? ''];
  const patch = createTwoFilesPatch(
    before === null ? '/dev/null' : path,
    after === null ? '/dev/null' : path,
    previousText,
    plannedText,
    '',
    '',
  );
  print.data(printable(patch.split('\n').slice(1).join('\n')));
}

function printChange(
  { print, options }: CommandContext,
  { dryRun = false }: ChangeFlags,
  changes: readonly Change[],
  changed: string,
  same: string,
): void {
  if (options.isJson && !dryRun) {
    print.json({ items: changes });
    return;
  }
  for (const change of changes) {
    const line = (change.changed ? changed : same)
      .replace('%s', agentNamed(change.agent).title)
      .replace('%s', change.file);
    if (dryRun) print.note(change.changed ? `Would change ${change.file}.` : line);
    else print.data(printable(`${line}\n`));
  }
}

/** The named agents, otherwise those with a settings folder. @throws AppError `usage` if no agent has one */
function agentsOf({ io }: CommandContext, { agent, scope }: ChangeFlags): HookAgent[] {
  if (agent) return agent.map(agentNamed);
  const found = AGENTS.filter((one) => existsSync(settingsFolderOf(one, scope, io)));
  if (found.length > 0 || agentsWithoutHooks(io).length > 0) return found;
  const folders = AGENTS.map(({ folder }) => folder).join(', ');
  throw new AppError('usage', `No coding agent was found (${folders}); name one with --agent.`);
}

function commandOptions({ io, options }: CommandContext, flags: InstallFlags): HookCommandOptions {
  const isShared = flags.scope === 'project';
  const usual = dataFolderOf(undefined, { ...io.env, MISSTEP_DATA: undefined });
  return {
    scope: flags.scope,
    program: flags.program === undefined ? programWords(isShared) : [flags.program],
    dataFolder: isShared || options.dataFolder === usual ? null : options.dataFolder,
    server: toServerAddress(flags.url, '--url'),
    tenant: options.tenant,
    hasFeedback: flags.feedback ?? false,
  };
}

/** A project's settings are also read on other machines, so the command contains only the program's name. */
function programWords(isShared: boolean): string[] {
  if (isShared) return ['misstep'];
  return isExecutable() ? [process.execPath] : [process.execPath, process.argv[1] ?? ''];
}
