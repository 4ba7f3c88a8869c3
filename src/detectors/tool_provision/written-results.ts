import type { Step, Trace } from '../../core/trace.ts';
import { cut, lettersAndDigits } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { agentTurns, type ConversationTurn } from '../_readings/conduct/conversation.ts';

/** A call that a model wrote in its answer together with its result, and that was not made. */
export interface WrittenResult {
  step: number;
  agent: string | null;
  tool: string;
  /** The result as the model wrote it, cut. */
  result: string;
  /** Text at which generation has to stop, so that the program can make the call. */
  stop: string;
  /** False if nothing shows that the program records its calls: the result may be from a tool then. */
  isCertain: boolean;
}

/**
 * Answers of a model that contain a call and, after it, its result. The trace contains no call of that tool between the answer and
 * the next turn, and no text before the answer contains the result.
 */
export function writtenResults(trace: Trace): WrittenResult[] {
  const uses = toolUses(trace);
  const turns = agentTurns(trace);
  return turns.flatMap((turn, nth) => {
    const step = trace.steps[turn.step]!;
    if (step.kind !== 'llm' || turn.text !== step.output) return [];
    const written = answeredCall(turn.text);
    if (written === null || isMade(uses, turn, turns[nth + 1], written.tool)) return [];
    if (isKnown(uses, step, written.result)) return [];
    const isCertain = uses.length > 0 || trace.toolDefinitions.length > 0 || step.tokens.output !== null;
    return [{ step: turn.step, agent: turn.agent, ...written, isCertain }];
  });
}

type AnsweredCall = Pick<WrittenResult, 'tool' | 'result' | 'stop'>;

/** Longer answers are not read. */
const MAX_CHARACTERS = 40_000;
/** A shorter result can be a placeholder. */
const MIN_RESULT = 6;
const MAX_RESULT = 300;

function answeredCall(text: string): AnsweredCall | null {
  if (text.length > MAX_CHARACTERS) return null;
  const found = labelled(text) ?? element(text);
  return found === null || lettersAndDigits(found.result).length < MIN_RESULT ? null : found;
}

/** Labels of ReAct prompts (https://arxiv.org/abs/2210.03629) and of their translations. */
const RESULT =
  /^[ *#]{0,6}(?:Observation|Tool (?:result|output|response)|Function (?:result|output|response)|Observación|Beobachtung|Наблюдение|观察|观测|觀察|観察)(?: ?\d{1,3})?[ *]{0,3}[:：][ *]{0,4}/im;
const CALL =
  /^[ *#]{0,6}(?:Action|Acción|Aktion|Действие|行动|動作|动作|行動|アクション)(?: ?\d{1,3})?[ *]{0,3}[:：][ *]{0,4}/i;
const ARGUMENTS =
  /^[ *#]{0,6}(?:Action Input|Action Arguments|Entrada de (?:la )?acción|Aktionseingabe|Ввод действия|行动输入|动作输入|動作輸入|行動入力)(?: ?\d{1,3})?[ *]{0,3}[:：]/im;
/** The next labelled part ends the result. */
const NEXT_PART = /\n[ *#]{0,6}(?:\p{L}{1,20}(?: \p{L}{1,20})?)(?: ?\d{1,3})?[ *]{0,3}[:：]|\n\s{0,20}\n/u;
const NAME = /^[`'"]?([\p{L}_][\p{L}\p{N}_.-]{0,59})[`'"]?/u;

function labelled(text: string): AnsweredCall | null {
  const result = RESULT.exec(text);
  if (result === null) return null;
  const lines = text.slice(0, result.index).split('\n');
  const at = lines.findLastIndex((line) => CALL.test(line));
  if (at < 0) return null;
  const call = lines[at]!.replace(CALL, '').trim();
  const name = NAME.exec(call);
  if (name === null) return null;
  const rest = call.slice(name[0].length).trim();
  const hasArguments = rest === '' ? ARGUMENTS.test(lines.slice(at + 1).join('\n')) : /^[[(].*[\])]$/s.test(rest);
  if (!hasArguments) return null;
  const stop = result[0].replace(/[ *#]{1,6}/g, ' ').trim();
  return { tool: name[1]!, result: resultIn(text.slice(result.index + result[0].length)), stop };
}

function resultIn(rest: string): string {
  const end = NEXT_PART.exec(rest)?.index ?? rest.length;
  return cut(rest.slice(0, end).trim(), MAX_RESULT);
}

/** Elements of chat templates for calls and for their results. */
const CALL_ELEMENT =
  /<(?:tool_call|function_call|invoke name=|function=)["'>]?\s{0,4}\{?\s{0,4}(?:"name":\s{0,2}")?([\p{L}_][\p{L}\p{N}_.-]{1,60})/u;
const RESULT_ELEMENT =
  /<(?:tool_response|tool_result|tool_output|function_response|function_results?|function_output)>/;

function element(text: string): AnsweredCall | null {
  const result = RESULT_ELEMENT.exec(text);
  const call = result === null ? null : CALL_ELEMENT.exec(text.slice(0, result.index));
  if (result === null || call === null) return null;
  const rest = text.slice(result.index + result[0].length);
  const end = rest.indexOf('</');
  return { tool: call[1]!, result: cut((end === -1 ? rest : rest.slice(0, end)).trim(), MAX_RESULT), stop: result[0] };
}

/** Programs that parse calls from text make them before the next model call. */
function isMade(
  uses: readonly ToolUse[],
  { step }: ConversationTurn,
  next: ConversationTurn | undefined,
  tool: string,
): boolean {
  const until = next?.step ?? Number.POSITIVE_INFINITY;
  const name = lettersAndDigits(tool);
  return uses.some((use) => use.step >= step && use.step <= until && lettersAndDigits(use.name) === name);
}

/** The start of a result that is compared, in letters and digits. */
const COMPARED = 60;

/** Whether the result repeats a text that the model had read. */
function isKnown(uses: readonly ToolUse[], { index, inputMessages, input }: Step, result: string): boolean {
  const start = lettersAndDigits(result).slice(0, COMPARED);
  const read = [
    ...uses.filter(({ step }) => step < index).map(({ resultText }) => resultText),
    ...(inputMessages.length === 0 ? [input] : inputMessages.map(({ content }) => content)),
  ];
  return read.some((text) => lettersAndDigits(text).includes(start));
}
