import { isJsonObject, type Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { checkFix } from '../_conduct/remedy.ts';
import { agentTurns, conversation, type Said } from '../_conduct/said.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import { counted, cut } from '../_kit/text.ts';
import { owesAnswer } from './last-words.ts';
import type { Verdict } from './verdict.ts';

const LIST_TOOL =
  /^(?:todo_?write|write_?todos?|update_?(?:plan|todos?)|todo(?:_?list)?|manage_?todo_?list|set_?plan|plan_?update|task_?list)$/i;
const IS_OPEN = /^(?:pending|in[_ -]?progress|todo|not[_ -]?started|open)$/i;

/** The run's own to-do list as it last stood, with items that were never ticked off, and an answer after it. */
export function openTodoItems(trace: Trace): Verdict | null {
  const list = toolUses(trace).findLast(({ name, isError }) => LIST_TOOL.test(name) && !isError);
  if (list === undefined || !trace.isSettled || trace.status === 'error' || !owesAnswer(trace)) return null;
  const items = itemsOf(list);
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
  text: string;
  status: string;
}

function itemsOf({ arguments: args }: ToolUse): Item[] {
  const lists: Json[] = isJsonObject(args) ? Object.values(args) : [args];
  const list = lists.find((value): value is Json[] => Array.isArray(value)) ?? [];
  return list.filter(isJsonObject).flatMap((item) => {
    const text = item.content ?? item.step ?? item.title ?? item.task ?? item.description ?? item.text;
    return typeof text === 'string' && typeof item.status === 'string' ? [{ text, status: item.status }] : [];
  });
}

/** An agent that asks something has not finished and does not say so. */
function isWaiting(text: string): boolean {
  return /[?？]\s{0,4}$/.test(text.trim()) || /\b(?:let me know|waiting for|blocked)\b/i.test(text.slice(-300));
}

const PROMPTS_ON =
  /^\W{0,5}(?:please )?(?:continue|keep (?:going|solving|working)|go on|proceed|carry on|weiter|continúa|continuez?|continua|prossiga|继续|続けて)\b[^\n]{0,200}$/iu;
const ANSWER =
  /\\?boxed\{(?=[^}])|\bfinal answer\b|\b(?:the )?answer is\b|\bTERMINATE\b|最终答案|die Antwort (?:ist|lautet)|la respuesta es|la réponse est/i;

/** Said of the task and not of one try: it stands where an answer would. */
const NO_ANSWER =
  /\b(?:problem|task|question) (?:can ?not|can[’']t) be (?:solved|answered|determined)\b|\b(?:problem|task|question) is unsolvable\b/i;

function isPromptOn({ text }: Said): boolean {
  return text.length < 400 && PROMPTS_ON.test(text.split('\n')[0]!.trim());
}

/**
 * Told to go on twice or more after a model had answered, or had said that there is no answer: nothing told the
 * conversation that it was over. Instructions that say how to answer are no answers.
 */
export function continuedAfterAnswer(trace: Trace): Verdict | null {
  const said = conversation(trace);
  const promptsOn = said.filter(isPromptOn);
  // Short texts first: few conversations have any, and answers are looked for in long ones.
  if (promptsOn.length < 2) return null;
  const answered = said.findIndex(
    ({ step, text }) => trace.steps[step]!.kind === 'llm' && (ANSWER.test(text) || NO_ANSWER.test(text)),
  );
  if (answered === -1) return null;
  const prompts = said.slice(answered + 1).filter(isPromptOn);
  if (prompts.length < 2) return null;
  const [first] = prompts as [(typeof prompts)[number]];
  const name = first.agent ?? trace.steps[first.step]!.name;
  const answer = said[answered]!;
  return {
    subtype: 'continued_after_answer',
    score: 0.52,
    step: first.step,
    steps: prompts.map(({ step }) => step),
    agent: first.agent,
    explanation: `${answer.agent ?? 'The agent'} had ${ANSWER.test(answer.text) ? 'answered' : 'said that there is no answer'} at step ${answer.step}, and ${name} told it to continue ${counted(prompts.length, 'more time')}: nothing recognised that the task was over.`,
    suggestedAction: 'Give the conversation a condition that recognises the answer and ends it.',
    evidence: prompts
      .slice(0, 3)
      .map(({ step, text }) => ({ kind: 'text', step, path: 'output', quote: cut(text.trim(), 200) })),
    fix: checkFix('workflow_change', {
      title: 'End the conversation on the answer',
      target: `termination condition of ${name}`,
      description: `Let ${name} stop as soon as a message holds the final answer in the agreed form, instead of prompting again.`,
      after: 'is_termination_msg: the message holds the final answer (for example "\\boxed{…}" or "TERMINATE")',
      why: 'Every further round costs tokens and may change a right answer.',
    }),
    key: name,
  };
}
