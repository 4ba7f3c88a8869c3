import { isJsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';

/** Calls that only looked whether a running command or a subagent had finished. */
export interface Polling {
  tool: string;
  agent: string | null;
  steps: number[];
}

const WAITING_TOOL =
  /^(?:wait|wait_agent|bash_?output|task_?output|get_task_output|agent_?output(?:_tool)?|read_bash|check_task|get_terminal_output|get_command_status|command_status|poll\w{0,20})$/i;
const INPUT_TOOL = /^(?:write_?stdin|write_bash|send_input|shell_input)$/i;
const INPUT_ARGUMENTS = ['chars', 'input', 'text', 'data'];
const SLEEP = /^\s{0,10}sleep \d+(?:\.\d+)?[smh]?\s{0,10}$/;

/** Whether a call waits for something that runs already and asks nothing else. */
export function isPoll({ name, arguments: args, command }: ToolUse): boolean {
  if (command !== null) return SLEEP.test(command);
  if (WAITING_TOOL.test(name)) return true;
  if (!INPUT_TOOL.test(name) || !isJsonObject(args)) return false;
  return INPUT_ARGUMENTS.every((key) => args[key] === undefined || args[key] === '');
}

/** Polls by tool and agent, the most frequent first. */
export function polling(trace: Trace): Polling[] {
  const groups = Map.groupBy(toolUses(trace).filter(isPoll), ({ agent, name }) => `${agent}\n${name}`);
  return [...groups.values()]
    .map((uses) => ({ tool: uses[0]!.name, agent: uses[0]!.agent, steps: uses.map(({ step }) => step) }))
    .sort((a, b) => b.steps.length - a.steps.length);
}
