import { isJsonObject } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { words } from '../../_kit/text.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { plainName } from '../calls/tool-names.ts';

/** A subagent that could not do its work, after which the calling agent did the same work itself. */
export interface RepeatedSubagentWork {
  /** Step of the call that started the subagent. */
  step: number;
  task: string;
  /** The part of the subagent's answer that says what it could not do. */
  answer: string;
  /** Later calls of the main agent that request what the subagent was asked to do. */
  repeated: number[];
}

const STARTS_SUBAGENT = /^(?:task|agent|spawn_?agent|delegate\w{0,20}|run_subagent|sub_?agent|dispatch_agent)$/i;
const COULD_NOT =
  /\b(?:I (?:was )?(?:unable|not able) to|I (?:could ?n[o'’]t|can ?not|can['’]t|do ?n[o'’]t have (?:access|permission|the (?:tools|ability)))|(?:access|permission)s? (?:was |were )?denied|no (?:write|edit|file) (?:access|permission)|don['’]t have (?:access|permission))\b/i;
const MAX_LATER_CALLS = 30;
/** Files or names in the task. Two of them in a later call show that the work is the same. */
const NAMED = /[\w./-]{2,100}\.[A-Za-z]{1,8}\b/g;

export function repeatedSubagentWork(trace: Trace): RepeatedSubagentWork[] {
  const uses = toolUses(trace);
  return uses.flatMap((use, at) => {
    if (!STARTS_SUBAGENT.test(plainName(use.name)) || use.refusal !== null) return [];
    const answer = use.resultText;
    if (!use.isError && !COULD_NOT.test(answer.slice(0, 1_500))) return [];
    const task = taskOf(use);
    const named = new Set(task.match(NAMED) ?? []);
    const repeated = uses
      .slice(at + 1, at + 1 + MAX_LATER_CALLS)
      .filter((later) => later.agent === use.agent && isSameWork(later, task, named))
      .map(({ step }) => step);
    return repeated.length === 0 ? [] : [{ step: use.step, task, answer, repeated }];
  });
}

function taskOf({ arguments: args }: ToolUse): string {
  if (!isJsonObject(args)) return typeof args === 'string' ? args : '';
  return [args.description, args.prompt, args.task, args.message].filter((text) => typeof text === 'string').join('\n');
}

function isSameWork(later: ToolUse, task: string, named: ReadonlySet<string>): boolean {
  if (STARTS_SUBAGENT.test(later.name)) return taskOf(later) === task;
  if (later.isError) return false;
  const text = later.command ?? later.argumentsText;
  return [...named].some((name) => text.includes(name)) && words(text).length > 1;
}
