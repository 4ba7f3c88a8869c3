import type { Fix } from '../../../core/detection.ts';
import { capitalized } from '../../_kit/text.ts';
import type { Obstacle } from './obstacle.ts';

/**
 * The title is the action; the description is the reason that the trace shows. An action without a reason is the whole
 * description.
 */
export function headingOf(action: string, kind: Obstacle['kind']): Pick<Fix, 'title' | 'description'> {
  const [, head, reason] = /^(.{1,100}?)[:;] (.+)$/s.exec(action) ?? [];
  const isInQuotes = head !== undefined && head.split('"').length % 2 === 0;
  if (head === undefined || reason === undefined || isInQuotes) return { title: TITLES[kind], description: action };
  return { title: head, description: isName(reason, kind) ? reason : capitalized(reason) };
}

/** A name of a tool or a file keeps its letters also at the start of a sentence. */
const NAME = /^\S{0,80}?(?:[_/\d]|\p{Ll}\p{Lu})/u;

function isName(reason: string, kind: Obstacle['kind']): boolean {
  return kind === 'unknown_tool' || NAME.test(reason);
}

const TITLES: Readonly<Record<Obstacle['kind'], string>> = {
  unknown_tool: 'Call a declared tool',
  missing_argument: 'Pass the required argument',
  wrong_argument: 'Pass the argument as the schema declares it',
  named_argument: 'Correct the argument that the error names',
  missing_program: 'Use a program that is installed',
  stray_text: 'Send the command alone',
  cut_command: 'Pass the command as one argument',
  lost_quotes: 'Pass the quotes of a command unchanged',
  one_line: 'Keep the line breaks of the code',
  escaped_breaks: 'Keep the line breaks of the code',
  missing_path: 'Use a path that exists',
  bare_name: 'Put the folder before the name',
  other_names: 'Use a name that the result offers',
  undefined_name: 'Define the name that the check calls',
  split_code: 'Run the code blocks of a message as one program',
  lost_definition: 'Send all that the code calls in one block',
  stub: 'Write the body of the function',
  failure: 'Correct what the result reports',
  bare_answer: 'Return the case that failed',
  redirected: 'Print the output of the command',
  empty: 'Return a message if nothing is found',
  no_items: 'Say that nothing was found instead of a repeated call',
  several_calls: 'Make one call for each value',
  echo: 'Give the agent a way to end the run',
  own_fallback: 'Show the error of the command',
  hidden_error: 'Show the error of the command',
  shared_answer: 'Pass a value that an earlier result shows',
  result: 'Return the earlier result for a repeated call',
};

const REASONS: Readonly<Record<Obstacle['kind'], string>> = {
  unknown_tool: 'A tool that is not declared cannot run.',
  missing_argument: 'The declared schema of the tool requires this argument.',
  wrong_argument: 'The declared schema of the tool does not allow this argument.',
  named_argument: 'The error names this argument.',
  missing_program: 'The result says that this program does not exist.',
  stray_text: 'The shell interpreted text as a command.',
  cut_command: 'The shell reports a piece of the command as its own name.',
  lost_quotes: 'The results show that quotes of the command do not reach the shell.',
  one_line: 'The statements need lines of their own.',
  escaped_breaks: 'The interpreter received a backslash and a letter in place of each line break.',
  missing_path: 'The result says that this path does not exist.',
  bare_name: 'The command lists names without their folder.',
  other_names: 'The result offers other names than the one in the call.',
  undefined_name: 'The failed check calls a name that the code does not define.',
  split_code: 'The part that ran does not contain the definition.',
  lost_definition: 'The code calls names that it neither imports nor defines.',
  stub: 'Code with an empty function cannot do the task.',
  failure: 'The result of the call says what failed.',
  bare_answer: 'The result names neither a place nor a value, so the agent cannot correct anything.',
  redirected: 'The output went to a file, and the agent received nothing.',
  empty: 'The agent received nothing.',
  no_items: 'An earlier call with the same arguments found nothing.',
  several_calls: 'The argument contains the notation of more than one call.',
  echo: 'The command prints the text that it contains.',
  own_fallback: 'The result is the text that the command prints instead of the error.',
  hidden_error: 'The command hides its error, and its result is empty.',
  shared_answer: 'Other arguments had the same result, so it does not depend on them.',
  result: 'An earlier call has already returned this result.',
};

/** Why the change helps. */
export function reasonFor(kind: Obstacle['kind']): string {
  return REASONS[kind];
}
