import { isJsonObject } from '../../core/json.ts';
import type { ToolDefinition, Trace } from '../../core/trace.ts';
import { toolUses } from '../_kit/calls.ts';
import { onceEach } from '../_kit/once.ts';
import { isShellTool } from '../_kit/shell.ts';
import { isCodingSession } from './coding-session.ts';

/** Arguments that hold what a tool is to run. */
const RUNS = new Set(['command', 'commands', 'cmd', 'code', 'script', 'shell']);

/**
 * Whether the agents of a run had a tool that runs something: a shell was called or offered, a tool with a command as an
 * argument was offered, or the run is a session of a coding agent, which all have one.
 */
export const canRunCommands = onceEach(
  (trace: Trace): boolean =>
    isCodingSession(trace) ||
    trace.toolDefinitions.some(isRunner) ||
    toolUses(trace).some(({ command, name }) => command !== null || isShellTool(name)),
);

function isRunner({ name, parameters }: ToolDefinition): boolean {
  const properties = isJsonObject(parameters) && isJsonObject(parameters.properties) ? parameters.properties : {};
  return isShellTool(name) || Object.keys(properties).some((argument) => RUNS.has(argument));
}
