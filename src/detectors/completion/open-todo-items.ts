import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { counted, cut } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { plainName } from '../_readings/calls/tool-names.ts';
import { agentTurns } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { needsAnswer } from './abandoned-run.ts';
import type { Verdict } from './verdict.ts';

const LIST_TOOL =
  /^(?:todo_?write|write_?todos?|update_?(?:plan|todos?)|todo(?:_?list)?|manage_?todo_?list|set_?plan|plan_?update|task_?list)$/i;
const IS_OPEN = /^(?:pending|in[_ -]?progress|todo|not[_ -]?started|open)$/i;

/** The final state of the run's to-do list has open items, and an answer follows. */
export function openTodoItems(trace: Trace): Verdict | null {
  const calls = toolUses(trace).filter(({ name, isError }) => LIST_TOOL.test(plainName(name)) && !isError);
  const list = calls.findLast((call) => updateIn(call) === null);
  if (list === undefined || !isWhole(trace) || trace.status === 'error' || !needsAnswer(trace)) return null;
  const items = withUpdates(itemsOf(list), calls.slice(calls.indexOf(list) + 1));
  const open = items.filter(({ status }) => IS_OPEN.test(status));
  const answer = agentTurns(trace).findLast(({ step, calls }) => step > list.step && calls.length === 0);
  if (open.length === 0 || answer === undefined || isWaiting(answer.text)) return null;
  const isAllDone = open.length === 1 && open[0]!.status.toLowerCase() !== 'pending' && items.length > 1;
  const name = list.agent ?? list.name;
  return {
    subtype: 'open_todo_items',
    score: isAllDone ? 0.45 : 0.66,
    step: answer.step,
    steps: [list.step, answer.step],
    agent: list.agent,
    explanation: `The run ended at step ${answer.step} with ${counted(open.length, 'item')} of ${items.length} on the list that ${name} keeps with ${list.name} still open, the first being "${cut(open[0]!.text, 100)}".`,
    suggestedAction: 'Finish the open items, or have the agent say which ones it leaves and why.',
    evidence: [{ kind: 'call', step: list.step, path: 'tool.arguments', quote: cut(list.argumentsText, 280) }],
    fix: checkFix('workflow_change', {
      title: 'Do not stop with open items',
      target: `stop condition of ${name}`,
      description: `Before the run ends, compare the last ${list.name} call with the answer and send the agent back while items are open.`,
      after: `on stop: if the last ${list.name} list has open items, continue with "These items are open: …"`,
      why: 'The list that the agent wrote itself says that the work is not done.',
    }),
    key: list.name,
  };
}

interface Item {
  /** Null if the list gives its items no ids. */
  id: string | null;
  text: string;
  status: string;
}

function itemsOf({ arguments: args }: ToolUse): Item[] {
  const lists: Json[] = isJsonObject(args) ? Object.values(args) : [args];
  const list = lists.find((value): value is Json[] => Array.isArray(value)) ?? [];
  return list.filter(isJsonObject).flatMap((item) => {
    const text = item.content ?? item.step ?? item.title ?? item.task ?? item.description ?? item.text;
    return typeof text === 'string' && typeof item.status === 'string'
      ? [{ id: idOf(item), text, status: item.status }]
      : [];
  });
}

/** The new status that a call gives to one item of the list; null for a call that passes the whole list. */
function updateIn({ arguments: args }: ToolUse): Pick<Item, 'id' | 'status'> | null {
  if (!isJsonObject(args) || typeof args.status !== 'string' || Object.values(args).some(Array.isArray)) return null;
  return { id: idOf(args), status: args.status };
}

function withUpdates(items: readonly Item[], later: readonly ToolUse[]): Item[] {
  const updates = later.map(updateIn).filter((update) => update !== null);
  return items.map((item) => {
    const update = item.id === null ? undefined : updates.findLast(({ id }) => id === item.id);
    return { ...item, status: update?.status ?? item.status };
  });
}

function idOf(item: JsonObject): string | null {
  const id = Object.entries(item).find(([name]) => /^(?:id|\w{1,20}(?:_id|Id))$/.test(name))?.[1];
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}

/** Whether the agent asks a question. It then has not finished and does not claim so. */
function isWaiting(text: string): boolean {
  return /[?？]\s{0,4}$/.test(text.trim()) || /\b(?:let me know|waiting for|blocked)\b/i.test(text.slice(-300));
}
