import { isJsonObject, type Json } from '../../../core/json.ts';
import { plainName } from '../calls/tool-names.ts';

const SHELL_TOOLS = new Set([
  'bash',
  'sh',
  'zsh',
  'shell',
  'cmd',
  'powershell',
  'terminal',
  'execute',
  'exec',
  'exec_command',
  'execute_bash',
  'execute_command',
  'run_bash',
  'run_command',
  'run_commands',
  'run_in_terminal',
  'sandbox_exec',
  'run_shell',
  'run_shell_command',
  'run_terminal_cmd',
  'shell_command',
  'shell_exec',
  'local_shell',
]);

/** Names of arguments that contain a command, by priority. */
const COMMAND_ARGUMENTS = ['command', 'cmd', 'script', 'input', 'code', 'value'];
/** The subset of names that are used only for commands. */
const COMMAND_KEYS = new Set(['command', 'commands', 'cmd', 'shell_command', 'bash_command', 'command_line']);
const KNOWN_ARGUMENTS: readonly string[] = [...COMMAND_KEYS, ...COMMAND_ARGUMENTS];

/** Names of arguments for search terms, messages and stored texts; these may quote a command. */
const NO_COMMAND =
  /quer|question|search|keyword|pattern|regex|prompt|text|message|content|body|title|name|description|task|url|path|file|subject|comment|answer|note|^q$/i;

/** Whether the name of a tool suggests a shell. The name alone decides nothing: see `tool-roles.ts`. */
export function hasShellName(tool: string): boolean {
  return SHELL_TOOLS.has(plainName(tool));
}

export interface CommandArgument {
  command: string;
  /**
   * How strongly the argument name indicates a command: `other` names also contain other texts, `unknown` names give no
   * indication.
   */
  key: 'cmd' | 'command' | 'other' | 'unknown';
}

/** The argument that would be the command if the tool is a shell; null if no argument can be. */
export function commandArgument(args: Json): CommandArgument | null {
  if (typeof args === 'string') return { command: args, key: 'other' };
  const list = isJsonObject(args) ? args.commands : args;
  if (Array.isArray(list)) {
    const lines = linesOf(list);
    return lines === null ? null : { command: lines, key: 'command' };
  }
  if (!isJsonObject(args)) return null;
  if (typeof args.keystrokes === 'string') {
    const typed = typedCommand(args.keystrokes);
    return typed === null ? null : { command: typed, key: 'command' };
  }
  const known = KNOWN_ARGUMENTS.find((key) => args[key] !== undefined);
  const texts = Object.keys(args).filter((key) => typeof args[key] === 'string' && args[key] !== '');
  if (known === undefined && texts.some((key) => NO_COMMAND.test(key))) return null;
  const name = known ?? (texts.length === 1 ? texts[0] : undefined);
  const value = name === undefined ? null : args[name]!;
  const command = Array.isArray(value) ? commandOfWords(value.filter((part) => typeof part === 'string')) : value;
  if (typeof command !== 'string') return null;
  if (name === 'cmd') return { command, key: 'cmd' };
  return { command, key: COMMAND_KEYS.has(name!) ? 'command' : known === undefined ? 'unknown' : 'other' };
}

/** A list of whole commands, joined; null if none of them is a text. */
function linesOf(commands: readonly Json[]): string | null {
  const texts = commands
    .map((one) => (isJsonObject(one) ? (one.command ?? typedCommand(one.keystrokes)) : one))
    .filter((one) => typeof one === 'string');
  return texts.length === 0 ? null : texts.join('\n');
}

/** A key such as `C-c`, as tmux names it. */
const KEY = /^(?:[CM]-\S|Enter|Escape|Tab|Up|Down|Left|Right|q)$/;

/** The command that is typed into a terminal; null for keys and for a wait, which types nothing. */
function typedCommand(keystrokes: Json | undefined): string | null {
  const typed = typeof keystrokes === 'string' ? keystrokes.trimEnd() : '';
  return typed === '' || KEY.test(typed) ? null : typed;
}

/** Codex passes a list of words, often a shell and its script. */
function commandOfWords(words: readonly string[]): string {
  const isScript = words.length === 3 && /^(?:\/\S*\/)?(?:ba|z|da)?sh$/.test(words[0]!) && /^-[a-z]*c$/.test(words[1]!);
  return isScript ? words[2]! : words.join(' ');
}

const READERS = new Set(
  (
    'ls cat head tail grep egrep fgrep rg ag wc pwd echo printf nl awk which type tree stat du df env printenv date whoami ' +
    'hostname uname sort uniq cut tr less more diff cmp jq yq true false test [ file id ps uptime sleep cd read basename ' +
    'dirname realpath readlink xxd hexdump od strings column man help history'
  ).split(' '),
);
const GIT_READERS = new Set('status diff log show blame branch grep ls-files rev-parse describe remote'.split(' '));
/** Words before a command that change how it runs, not what it does. */
const WRAPPERS = new Set(['sudo', 'time', 'nohup', 'command', 'exec', 'nice', 'then', 'do', 'else', '{', '(']);

/** Whether a command only reads. Unknown programs count as changing, including tests and programs of the project. */
export function isReadOnlyCommand(command: string): boolean {
  if (/<<|\$\(|`/.test(command)) return false;
  const unquoted = command.replace(/'[^']*'|"[^"]*"/g, '""');
  if (/>(?!&\d|\s*\/dev\/null|\s*&)/.test(unquoted)) return false;
  return unquoted
    .split(/&&|\|\||[;|\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('#'))
    .every(isReadOnlyPart);
}

function isReadOnlyPart(part: string): boolean {
  const tokens = part.split(/\s+/).filter((token) => !/^\w+=/.test(token));
  while (tokens.length > 0 && WRAPPERS.has(tokens[0]!)) tokens.shift();
  if (tokens[0] === 'timeout') tokens.splice(0, 2);
  // With a program, `env` runs it; alone, it prints the environment.
  if (tokens[0] === 'env' && tokens.some((token, at) => at > 0 && !token.startsWith('-'))) tokens.shift();
  const [program, ...rest] = tokens;
  if (program === undefined) return true;
  if (program === 'git') return GIT_READERS.has(rest.find((token) => !token.startsWith('-')) ?? '');
  if (program === 'find') return !rest.some((token) => /^-(?:delete|exec|execdir|ok)$/.test(token));
  if (program === 'sed') return !rest.some((token) => /^-(?:[a-zA-Z]*i|-in-place)/.test(token));
  return READERS.has(program);
}
