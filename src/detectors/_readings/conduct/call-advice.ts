import type { Fix, FixType } from '../../../core/detection.ts';
import type { Trace } from '../../../core/trace.ts';
import { capitalized, counted, cut, joined, oneLine } from '../../_kit/text.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { headingOf, reasonFor } from './advice-heading.ts';
import { originText } from './argument-origin.ts';
import { obstacleOf } from './call-obstacle.ts';
import { demandedAdvice } from './demanded-text.ts';
import { failedCheckText, lastEditText } from './failed-check.ts';
import { folderOf } from './failed-command.ts';
import { lostAdvice } from './lost-definitions.ts';
import { lostQuotes, lostQuotesText } from './lost-quotes.ts';
import type { FailedPart, Obstacle, StrayBlock } from './obstacle.ts';
import { isDeclaredRequired } from './passed-arguments.ts';
import { isPattern, otherCaseText, treeAdvice } from './path-in-task.ts';
import { checkFix } from './remedy.ts';
import { strayAdvice } from './stray-block.ts';
import { exampleAdvice } from './task-examples.ts';
import { truthText, truthValue } from './truth-value.ts';
import { unnamedAdvice, unnamedFunction } from './unnamed-function.ts';
import { bodyAdvice } from './unwritten-functions.ts';
import { workedVersion } from './worked-version.ts';

/** A suggested change for a failed call. */
export interface CallAdvice {
  obstacle: Obstacle;
  /** One imperative sentence that names what the trace shows. */
  action: string;
  /** The same advice without the cause, for a detection whose explanation states the cause. */
  remedy: string;
  /** The cause as one sentence; empty if the result itself states it. */
  cause: string;
  fix: Fix;
}

interface CallChange {
  fixType: FixType;
  /** Place of the change. */
  target: string;
  action: string;
  /** If omitted, `action`. */
  remedy?: string;
  cause?: string;
  /** The change itself as text. */
  after: string;
}

/** The change that the call, its answer and the declared tools suggest. */
export function callAdvice(trace: Trace, use: ToolUse): CallAdvice {
  const obstacle = obstacleOf(trace, use);
  const { fixType, target, action, after, remedy = action, cause = '' } = changeFor(obstacle, use, trace);
  const fix = checkFix(fixType, {
    ...headingOf(action, obstacle.kind),
    target,
    after,
    why: reasonFor(obstacle.kind),
  });
  return { obstacle, action, remedy, cause, fix };
}

/** The advice on the call at a step; null if no tool was called there. */
export function adviceAt(trace: Trace, step: number): CallAdvice | null {
  const use = toolUses(trace).find((one) => one.step === step);
  return use === undefined ? null : callAdvice(trace, use);
}

type Change<Kind> = (obstacle: Extract<Obstacle, { kind: Kind }>, use: ToolUse, trace: Trace) => CallChange;

function changeFor(obstacle: Obstacle, use: ToolUse, trace: Trace): CallChange {
  return (CHANGES[obstacle.kind] as Change<Obstacle['kind']>)(obstacle, use, trace);
}

/** Advice and its cause. `until` is a further sentence of the advice, with a leading space. */
function caused(remedy: string, cause: string, until = ''): Pick<CallChange, 'action' | 'remedy' | 'cause'> {
  return {
    action: `${remedy}: ${cause}.${until}`,
    remedy: `${remedy}.${until}`,
    cause: `${capitalized(cause)}.`,
  };
}

/** Advice to return to the version that worked, if there is one. */
function returnTo(trace: Trace, use: ToolUse, line: string): string | null {
  const worked = workedVersion(trace, use);
  if (worked === null) return null;
  const [was, is] = worked.pieces;
  return `Have ${agentName(use)} return to the call of step ${worked.step}, which worked, and make a different change: since then "${was}" became "${is}", and step ${use.step} returned "${line}".`;
}

/** Advice from the output of the failed check and the file that was edited last. */
function repairOf(trace: Trace, use: ToolUse): string {
  const edited = lastEditText(trace, use.step);
  const shown = failedCheckText(use.resultText || (use.failure?.message ?? ''));
  const what =
    edited === null
      ? `repair what step ${use.step} shows (${shown})`
      : `change ${edited} for what step ${use.step} shows (${shown})`;
  return `Have ${agentName(use)} ${what} before it runs the same command again.`;
}

function correction(
  part: Exclude<FailedPart, 'work'>,
  passed: string,
  line: string,
  use: ToolUse,
  trace: Trace,
): string {
  const who = agentName(use);
  const given = `step ${use.step} passed ${passed === '' ? 'none' : passed}`;
  if (part === 'arguments')
    return `Have ${who} correct the arguments of ${use.name}: ${given}, and the result is "${line}".${originText(trace, use)}`;
  if (part === 'lookup')
    return `Have ${who} check that what it requests from ${use.name} exists: ${given}, and the result is "${line}".${originText(trace, use)}`;
  if (part === 'unknown')
    return `Find the cause in ${use.name} and its log: step ${use.step} passed ${passed === '' ? 'no argument' : passed}, and ${use.name} failed with "${line}".`;
  return `Have ${who} correct the ${part} of step ${use.step} for "${line}".`;
}

/** What to do about another failure in the same result; empty if the result contains no other failure. */
function otherAdvice(use: ToolUse, otherFailure: string | null, stray: StrayBlock | null): string {
  if (otherFailure === null) return '';
  const shown = ` The same result contains another failure ("${otherFailure}")`;
  return stray === null
    ? `${shown}: have ${agentName(use)} correct it, too.`
    : `${shown}.${strayAdvice(stray, agentName(use), use.name)}`;
}

function agentName({ agent }: ToolUse): string {
  return agent ?? 'the agent';
}

/** One sentence with a leading space if a printed text shows that its quotes were lost. */
function quotesNote(trace: Trace, use: ToolUse): string {
  const found = lostQuotes(trace, use);
  return found === null
    ? ''
    : ` Check whether ${use.name} passes quotes to the shell unchanged: ${lostQuotesText(found, use)}.`;
}

/** Parts of a command: `a`, `b` and `c`. */
function codesOf(parts: readonly string[]): string {
  return joined(parts.map((part) => `\`${part}\``));
}

function listOf(names: readonly string[]): string {
  return names.map((each) => `"${each}"`).join(', ');
}

function instructionsOf(use: ToolUse): string {
  return `instructions of ${agentName(use)}`;
}

const CHANGES: { readonly [Kind in Obstacle['kind']]: Change<Kind> } = {
  unknown_tool: ({ declared, nearest }, use) => ({
    fixType: 'tool_change',
    target: `tools of ${agentName(use)}`,
    action: `Declare ${use.name} for ${agentName(use)}, or ${nearest === null ? 'name the declared tools in its instructions' : `have it call ${nearest}`}: ${use.name} is not among the ${counted(declared, 'declared tool')}.`,
    after: nearest === null ? `declare ${use.name}` : `${use.name} -> ${nearest}`,
  }),
  missing_argument: ({ argument, passed, line }, use, trace) => ({
    fixType: 'tool_change',
    target: `parameters of ${use.name}`,
    action: `Have ${agentName(use)} pass ${argument} to ${use.name}, and ${isDeclaredRequired(trace, use.name, argument) ? `reject calls that its schema does not allow before they run: the schema requires ${argument}, and` : 'mark it as required in the schema:'} ${line === '' ? `the call at step ${use.step} passes ${passed.length === 0 ? 'no argument' : passed.slice(0, 6).join(', ')}` : `the result at step ${use.step} is "${line}"`}.`,
    after: `check before ${use.name} runs: ${argument} is present, else return "${argument} is required"`,
  }),
  wrong_argument: ({ argument, declared, what }, use) => ({
    fixType: 'tool_change',
    target: `parameters of ${use.name}`,
    action: `Have ${agentName(use)} pass ${argument} to ${use.name} as the schema declares it (${declared}): at step ${use.step} it ${what}.`,
    after: `check before ${use.name} runs: ${argument} fits ${declared}`,
  }),
  named_argument: ({ argument, value, line }, use) => ({
    fixType: 'tool_change',
    target: `description of ${argument} in the schema of ${use.name}`,
    action: `Correct ${argument} in the call of ${use.name}, and describe in its schema which values it takes: step ${use.step} passed ${value}, and the result is "${line}".`,
    after: `${argument}: say which values are valid, and that ${value} is not`,
  }),
  missing_program: ({ program }, use) => ({
    fixType: 'config_change',
    target: `environment of ${use.name}`,
    action: `Have ${agentName(use)} replace "${program}" in its command, or install it where ${use.name} runs: step ${use.step} shows that there is no such program.`,
    after: `install ${program}, or list the installed programs in the description of ${use.name}`,
  }),
  cut_command: ({ rest, quote }, use) => ({
    fixType: 'tool_change',
    target: `how ${use.name} starts the shell`,
    ...caused(
      `Let ${use.name} pass the command to the shell as one argument, without quoting it again`,
      `the shell reports "${rest}", a part of the command of step ${use.step}, as its own name, so a ${quote} in the command ended it early`,
      ` Until then, have ${agentName(use)} write it without ${quote}.`,
    ),
    after: `start the shell with an argument list (["bash", "-c", command]) instead of a quoted string`,
  }),
  lost_quotes: ({ reason, pattern }, use) => ({
    fixType: 'tool_change',
    target: `how ${use.name} starts the shell`,
    ...caused(
      `Check whether ${use.name} passes quotes to the shell unchanged`,
      reason,
      pattern === null
        ? ` Until then, have ${agentName(use)} write the command without double quotes.`
        : ` Until then, have ${agentName(use)} put ${cut(pattern, 60)} in single quotes or a backslash before its wildcards: without any quotes the shell expands it, too.`,
    ),
    after: `start the shell with an argument list (["bash", "-c", command]) instead of a quoted string`,
  }),
  one_line: ({ line }, use) => ({
    fixType: 'prompt_change',
    target: instructionsOf(use),
    ...caused(
      `Have ${agentName(use)} write one statement per line`,
      `the code of step ${use.step} is a single line with several statements, and ${use.name} returns "${line}"`,
      ' Check that no line break is lost before the call.',
    ),
    cause: `The code of step ${use.step} is a single line with several statements.`,
    after: `code that is passed to ${use.name} has its line breaks: one statement per line`,
  }),
  escaped_breaks: (_, use) => ({
    fixType: 'tool_change',
    target: `how ${use.name} receives code`,
    ...caused(
      `Have ${agentName(use)} send the code with line breaks, or decode them before ${use.name} runs it`,
      `the line that step ${use.step} shows contains "\\n" as text, so the code was escaped once too often`,
    ),
    after: `decode the arguments of the call once: "\\n" becomes a line break before the code is written or run`,
  }),
  stray_text: ({ text, mark }, use) => ({
    fixType: 'prompt_change',
    target: instructionsOf(use),
    ...(mark === 'fence'
      ? {
          ...caused(
            `Have ${agentName(use)} send ${use.name} the command without the \`\`\` around it, or remove them before it runs`,
            `at step ${use.step} they make the shell run "${text}" as a program`,
          ),
          cause: `At step ${use.step} the \`\`\` around the command make the shell run "${text}" as a program.`,
        }
      : caused(
          `Have ${agentName(use)} send ${use.name} the command alone`,
          mark === 'apostrophe'
            ? `at step ${use.step} the apostrophe in "${text}" begins a quotation that does not end, so the call contains text that is not a command`
            : `at step ${use.step} "${text}" is run as a program, so the call contains text that is not a command`,
        )),
    after: `what is passed to ${use.name} is run as it is: no explanation, no result, no label`,
  }),
  missing_path: ({ path, nearest, shownAt }, use, trace) => {
    const folder = folderOf(path) ?? 'the folder';
    return {
      fixType: 'prompt_change',
      target: instructionsOf(use),
      action:
        nearest === null
          ? `Have ${agentName(use)} list ${folder} before it uses ${path}: step ${use.step} shows that ${isPattern(path) ? 'no file has a name of this pattern' : 'this path does not exist'}${otherCaseText(trace, path)}.${treeAdvice(trace, path)}`
          : `Have ${agentName(use)} use ${nearest}, which step ${shownAt} shows: ${path} does not exist (step ${use.step}).`,
      after: `when a path does not exist: list ${folder} before the next call of ${use.name}`,
    };
  },
  bare_name: ({ folder, name, stray }, use) => ({
    fixType: 'prompt_change',
    target: instructionsOf(use),
    ...caused(
      `Have ${agentName(use)} ${stray === null ? '' : `send ${use.name} the command alone, and `}put ${folder}/ before the name that ls prints`,
      `the command of step ${use.step} uses a name that ls ${folder} prints, without the folder, so it does not look for "${name}" in ${folder}${stray === null ? '' : `, and "${stray}" is run as a program`}`,
    ),
    after: `a name that ls prints is relative to the listed folder: put the folder before it`,
  }),
  other_names: ({ value, names, offered }, use) => ({
    fixType: 'prompt_change',
    target: instructionsOf(use),
    ...(offered === 'unquoted'
      ? caused(
          `Have ${agentName(use)} pass \`${value}\` without quotation marks, or remove them before ${use.name} runs`,
          `the result of step ${use.step} shows the name in quotation marks and offers it without them, so ${use.name} takes the marks for a part of the name`,
        )
      : offered === 'same'
        ? caused(
            `Check how ${use.name} looks up a name`,
            `the result of step ${use.step} says that "${value}" was not found, and offers the same name`,
            ` Until then, have ${agentName(use)} pass one of the other names in that result (${listOf(names)}).`,
          )
        : {
            action: `Have ${agentName(use)} pass one of the other names in the result of ${use.name} (${listOf(names)}) instead of "${value}".`,
          }),
    after: `when ${use.name} returns other names: call it with one of them, not with the name that it did not find`,
  }),
  lost_definition: ({ lost }, use) => ({
    fixType: 'prompt_change',
    target: instructionsOf(use),
    action: lostAdvice(agentName(use), lost, use.step),
    after: 'Before you run code, check that it imports or defines each name that it calls.',
  }),
  stub: ({ missing }, use) => ({
    fixType: 'prompt_change',
    target: instructionsOf(use),
    action: `${bodyAdvice(agentName(use), missing, use.step)}.`,
    after: `Before you run code, check that each requested function has a body; ${missing.name} has none.`,
  }),
  undefined_name: ({ name, line }, use) => ({
    fixType: 'prompt_change',
    target: `task that ${agentName(use)} is given`,
    action: `Give ${agentName(use)} the name ${name} in its task: the failed check calls ${name}, and the code of step ${use.step} does not define it ("${line}").`,
    remedy: `Give ${agentName(use)} the name ${name} in its task${truthValue(use, line) === null ? '' : ', and that it has to return a truth value'}.`,
    cause: `The failed check calls ${name}, and the code of step ${use.step} does not define it.${truthText(use, line)}`,
    after: `name the function ${name}, as the check calls it`,
  }),
  failure: ({ part, passed, line, demanded }, use, trace) => ({
    fixType: 'prompt_change',
    target: instructionsOf(use),
    action:
      part === 'work'
        ? repairOf(trace, use)
        : (returnTo(trace, use, line) ?? demandedAdvice(demanded, use) ?? correction(part, passed, line, use, trace)),
    after: `before the next call of ${use.name}: say what "${line}" asks for, and what is changed about it`,
  }),
  split_code: ({ name, source, lineNumber }, use) => ({
    fixType: 'tool_change',
    target: `how ${use.name} runs code`,
    ...caused(
      `Let ${use.name} run the code blocks of a message as one program, or have ${agentName(use)} send a single block`,
      `the code of step ${use.step} defines ${name}, but what ran has "${source}" at line ${lineNumber}, without the definition`,
    ),
    after: `${use.name}: join the code blocks of a message before they run`,
  }),
  bare_answer: ({ line, otherFailure, stray }, use, trace) => ({
    fixType: 'tool_change',
    target: `result of ${use.name}`,
    action: `Let ${use.name} return the case that failed, with its expected and actual value: "${line}" names no place or value that ${agentName(use)} could correct.${unnamedAdvice(unnamedFunction(trace))}${exampleAdvice(trace, agentName(use))}${otherAdvice(use, otherFailure, stray)}`,
    after: `${use.name}: {"case": "…", "expected": "…", "actual": "…"}`,
  }),
  redirected: ({ file }, use) => ({
    fixType: 'prompt_change',
    target: instructionsOf(use),
    action: `Have ${agentName(use)} print ${file} after it is written: the command of step ${use.step} sends its output there, and ${use.name} returned nothing.`,
    remedy: `Have ${agentName(use)} print ${file} after it is written.`,
    cause: `The command of step ${use.step} sends its output to ${file}, so ${use.name} returns nothing.`,
    after: `after a command that writes to a file: cat ${file}`,
  }),
  empty: (_, use) => ({
    fixType: 'tool_change',
    target: `result of ${use.name}`,
    action: `Let ${use.name} return a message that says whether it found nothing or is done if its result is empty, as at step ${use.step}, and have ${agentName(use)} accept that result.`,
    after: `${use.name}: {"result": "empty", "hint": "the same call returns nothing again"}`,
  }),
  hidden_error: ({ hides }, use) => ({
    fixType: 'prompt_change',
    target: instructionsOf(use),
    action: `Have ${agentName(use)} run the command of step ${use.step} without ${codesOf(hides)}, which ${hides.length === 1 ? 'hides' : 'hide'} an error: ${use.name} returned nothing.`,
    after: `no ${codesOf(hides)} in a command whose error is needed`,
  }),
  no_items: ({ line }, use) => ({
    fixType: 'loop_guard',
    target: `tool loop of ${agentName(use)}`,
    action: `When ${agentName(use)} repeats the call of ${use.name}, do not run it: tell ${agentName(use)} that its first call (step ${use.step}) found nothing (${line}), and ask for other arguments, another tool, or the answer that nothing was found.`,
    after: `key = tool + arguments; if the key has a result and nothing changed since: return "the first call found nothing: change the arguments, use another tool, or answer that nothing was found" without running ${use.name}`,
  }),
  several_calls: ({ calls }, use) => ({
    fixType: 'prompt_change',
    target: instructionsOf(use),
    ...caused(
      `Have ${agentName(use)} call ${use.name} once for each value, or split them before the call`,
      `the argument at step ${use.step} contains ${calls} calls (${cut(oneLine(use.argumentsText), 100)})`,
    ),
    after: `one call of ${use.name} for each value`,
  }),
  echo: ({ text }, use, trace) => ({
    fixType: 'workflow_change',
    target: `end of the run of ${agentName(use)}`,
    action: `Give ${agentName(use)} a call or an answer that ends the run: the command of step ${use.step} only prints "${text}", which is part of the command.${quotesNote(trace, use)}`,
    after: `end the run of ${agentName(use)} when it prints a text of its own for the second time`,
  }),
  own_fallback: ({ text, hides }, use) => {
    const parts = hides.length === 0 ? 'without its own fallback' : `without ${codesOf(hides)} and its own fallback`;
    const hidden = hides.length === 0 ? 'the error is not shown' : `${codesOf(hides)} in it hides the error`;
    return {
      fixType: 'prompt_change',
      target: instructionsOf(use),
      action: `Have ${agentName(use)} run the command of step ${use.step} ${parts}: "${text}" is the text that it prints on failure, and ${hidden}.`,
      remedy: `Have ${agentName(use)} run the command of step ${use.step} ${parts}, so that the result shows the error.`,
      cause: `The command of step ${use.step} prints "${text}" on failure, and ${hidden}.`,
      after: 'no "|| echo" and no "2>/dev/null" around a command whose error is needed',
    };
  },
  shared_answer: ({ line, other, otherStep }, use) => ({
    fixType: 'prompt_change',
    target: instructionsOf(use),
    action: `Have ${agentName(use)} pass ${use.name} a value that an earlier result shows, or use another tool: "${line}" is also what ${other} got at step ${otherStep}.`,
    after: `when ${use.name} returns "${line}": look up a valid value first, do not send the same one again`,
  }),
  result: ({ line }, use) => ({
    fixType: 'loop_guard',
    target: `tool loop of ${agentName(use)}`,
    action: `When ${agentName(use)} repeats the call of ${use.name}, do not run it: refer ${agentName(use)} to the result of step ${use.step} (${line}), and ask for other arguments, another tool, or an answer from that result.`,
    after: `key = tool + arguments; if the key has a result and nothing changed since: return "unchanged since step ${use.step}" without running ${use.name}`,
  }),
};
