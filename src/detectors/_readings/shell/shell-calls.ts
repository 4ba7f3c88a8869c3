import { type Assignment, type Command, forEachChild, parse, type Redirection, type SyntaxNode } from 'unbash';
import { literalWord, type ShellWord, shellWord } from './shell-word.ts';

/** One program that a command line starts. */
export interface ShellCall {
  /** Name without folder: `rm` for `/bin/rm`. */
  program: string;
  args: readonly ShellWord[];
  /** Variables set for this call or earlier in the same command. */
  variables: ReadonlyMap<string, string>;
  /** Files that output is written to. */
  writes: readonly ShellWord[];
  /** Text of a heredoc or here-string on standard input; null without one. */
  stdin: string | null;
  /** The call whose output is piped into this one. */
  pipedFrom: ShellCall | null;
  /** Calls whose output is an argument or a file of this one: `$(…)`, `<(…)`. */
  inside: readonly ShellCall[];
  /** Target of the last `cd` in the same command, unmodified; null without a `cd`. */
  directory: string | null;
  /** Whether the call runs on another machine. */
  isRemote: boolean;
  /** Unmodified text of the call. */
  text: string;
}

/** Longer commands are scripts in heredocs; the relevant part is at the start. */
const MAX_COMMAND_LENGTH = 20_000;
const MAX_DEPTH = 6;
/** A longer value is not a file name. Limits the growth of values that are built from values. */
const MAX_VALUE_LENGTH = 4_000;

/**
 * The programs that a shell command starts, in order, including those inside `bash -c`, `eval`, `sudo` and substitutions.
 * Text (quotes, heredocs for other programs, comments, function bodies) starts no program.
 */
export function shellCalls(command: string): ShellCall[] {
  return read(command.slice(0, MAX_COMMAND_LENGTH), {
    variables: new Map(),
    directory: null,
    isRemote: false,
    depth: 0,
  });
}

interface ShellContext {
  variables: Map<string, string>;
  directory: string | null;
  isRemote: boolean;
  depth: number;
}

function read(source: string, context: ShellContext): ShellCall[] {
  if (context.depth > MAX_DEPTH) return [];
  const reader = new Reader(source, context);
  reader.visit(parse(source));
  return reader.calls;
}

class Reader {
  readonly calls: ShellCall[] = [];
  readonly #source: string;
  #context: ShellContext;

  constructor(source: string, context: ShellContext) {
    this.#source = source;
    this.#context = context;
  }

  visit(node: SyntaxNode): void {
    if (node.type === 'Command') this.#command(node, null);
    else if (node.type === 'Pipeline') this.#pipeline(node.commands);
    else if (node.type === 'Subshell') this.#inSubshell(() => forEachChild(node, (child) => this.visit(child)));
    else if (node.type !== 'Function') forEachChild(node, (child) => this.visit(child));
  }

  /** Changes made in a subshell end with it. */
  #inSubshell(visit: () => void): void {
    const context = this.#context;
    this.#context = { ...context, variables: new Map(context.variables) };
    visit();
    this.#context = context;
  }

  #pipeline(commands: readonly SyntaxNode[]): void {
    let before: ShellCall | null = null;
    for (const node of commands) {
      if (node.type === 'Command') before = this.#command(node, before);
      else {
        this.visit(node);
        before = null;
      }
    }
  }

  #command(command: Command, pipedFrom: ShellCall | null): ShellCall | null {
    const inside = this.#insideOf(command);
    const assigned = this.#assigned(command);
    if (command.name === undefined) {
      for (const [name, value] of assigned) this.#context.variables.set(name, value);
      return null;
    }
    const words = command.suffix.flatMap((part) => (part.type === 'Word' ? [this.#word(part)] : assignmentWord(part)));
    const call: ShellCall = {
      program: programOf(this.#word(command.name)),
      args: words,
      variables: new Map([...this.#context.variables, ...assigned]),
      writes: command.redirects.flatMap((redirect) => this.#writeTargetsOf(redirect)),
      stdin: command.redirects.map((redirect) => this.#stdinOf(redirect)).find((text) => text !== null) ?? null,
      pipedFrom,
      inside,
      directory: this.#context.directory,
      isRemote: this.#context.isRemote,
      text: this.#source.slice(command.pos, command.end),
    };
    return this.#addCall(call);
  }

  /** The call itself, or the call that a wrapper starts. */
  #addCall(call: ShellCall): ShellCall {
    if (call.program === 'cd' || call.program === 'pushd') this.#changeDirectory(call.args[0]);
    if (['export', 'declare', 'local', 'readonly', 'typeset'].includes(call.program)) this.#declare(call.args);
    const wrapped = unwrapped(call);
    if (wrapped !== call) return this.#addCall(wrapped);
    this.calls.push(call);
    const script = scriptOf(call);
    if (script !== null) {
      const context = { ...this.#context, depth: this.#context.depth + 1, isRemote: call.isRemote || isRemote(call) };
      this.calls.push(...read(script, { ...context, variables: new Map(call.variables) }));
    }
    return call;
  }

  #changeDirectory(target: ShellWord | undefined): void {
    const { directory } = this.#context;
    const to = target === undefined ? '~' : target.value;
    const isRelative = !/^[/~]/.test(to);
    if (target !== undefined && (!target.isKnown || to === '-')) this.#context.directory = `?/${to}`;
    else this.#context.directory = isRelative && directory !== null ? `${directory}/${to}` : to;
  }

  #declare(args: readonly ShellWord[]): void {
    for (const { value, isKnown } of args) {
      const equals = value.indexOf('=');
      if (isKnown && equals > 0 && value.length <= MAX_VALUE_LENGTH)
        this.#context.variables.set(value.slice(0, equals), value.slice(equals + 1));
    }
  }

  #insideOf(command: Command): ShellCall[] {
    const depth = this.#context.depth + 1;
    if (depth > MAX_DEPTH || !/[$`<>]/.test(this.#source.slice(command.pos, command.end))) return [];
    const reader = new Reader(this.#source, { ...this.#context, depth, variables: new Map(this.#context.variables) });
    forEachChild(command, (child) => {
      if (child.type !== 'HereDoc') reader.visit(child);
    });
    this.calls.push(...reader.calls);
    return reader.calls;
  }

  #assigned(command: Command): Map<string, string> {
    const pairs = command.prefix.flatMap((part): [string, string][] => {
      if (part.type !== 'Assignment' || part.value.type !== 'Word') return [];
      const word = this.#word(part.value);
      return word.isKnown && word.value.length <= MAX_VALUE_LENGTH ? [[part.name, word.value]] : [];
    });
    return new Map(pairs);
  }

  #writeTargetsOf(redirect: Redirection): ShellWord[] {
    const isWrite = redirect.type === 'Redirect' && /^&?>/.test(redirect.operator) && redirect.operator !== '>&';
    return isWrite && redirect.target ? [this.#word(redirect.target)] : [];
  }

  #stdinOf(redirect: Redirection): string | null {
    if (redirect.type === 'HereDoc') return redirect.body.text;
    return redirect.type === 'HereString' && redirect.target ? this.#word(redirect.target).value : null;
  }

  #word(word: Parameters<typeof shellWord>[0]): ShellWord {
    return shellWord(word, this.#context.variables);
  }
}

function assignmentWord(part: Assignment | Redirection): ShellWord[] {
  return part.type === 'Assignment' ? [literalWord(part.text)] : [];
}

function programOf({ value }: ShellWord): string {
  return value.slice(value.lastIndexOf('/') + 1);
}

/** Programs that start the rest of their line, with those of their options that take a value. */
const WRAPPERS: Readonly<Record<string, string>> = {
  sudo: 'ugpCrthDRT',
  doas: 'uC',
  env: 'uCS',
  nohup: '',
  setsid: '',
  time: 'fo',
  timeout: 'ks',
  nice: 'n',
  ionice: 'cnp',
  stdbuf: 'ioe',
  command: '',
  builtin: '',
  exec: 'a',
  xargs: 'IiLlnPsdaE',
};

function unwrapped(call: ShellCall): ShellCall {
  const valued = WRAPPERS[call.program];
  if (valued === undefined) return call;
  const rest = [...call.args];
  const variables = new Map(call.variables);
  while (rest.length > 0) {
    const { value } = rest[0]!;
    const isAssignment = /^[A-Za-z_]\w*=/.test(value);
    if (!value.startsWith('-') && !isAssignment) break;
    rest.shift();
    if (isAssignment) variables.set(value.slice(0, value.indexOf('=')), value.slice(value.indexOf('=') + 1));
    else if (/^-\w$/.test(value) && valued.includes(value[1]!)) rest.shift();
  }
  if (call.program === 'timeout') rest.shift();
  const [program, ...args] = rest;
  if (program === undefined) return call;
  // The arguments that `xargs` adds come from its input and are unknown.
  const added = call.program === 'xargs' ? [{ value: '…', isKnown: false, isPattern: false }] : [];
  return { ...call, program: programOf(program), args: [...args, ...added], variables };
}

const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash']);

export function isShell(program: string): boolean {
  return SHELLS.has(program);
}

/** The commands that a call passes to a shell as text; null if it passes none, or if they are unknown. */
function scriptOf({ program, args, stdin, pipedFrom }: ShellCall): string | null {
  if (program === 'eval') return knownText(args);
  if (program === 'ssh') return remoteScript(args, stdin);
  if (program === 'su') return optionValue(args, /^(?:-c|--command)$/);
  if (!SHELLS.has(program)) return null;
  const at = args.findIndex(({ value }) => /^-[a-z]*c$/.test(value));
  if (at !== -1) return args[at + 1]?.value ?? null;
  const isFile = args.some(({ value }) => !value.startsWith('-'));
  if (isFile) return null;
  return stdin ?? (pipedFrom?.program === 'echo' || pipedFrom?.program === 'cat' ? printed(pipedFrom) : null);
}

function printed({ program, args, stdin }: ShellCall): string | null {
  return program === 'cat' ? stdin : knownText(args.filter(({ value }) => !/^-[neE]+$/.test(value)));
}

function knownText(args: readonly ShellWord[]): string | null {
  return args.every(({ isKnown }) => isKnown) ? args.map(({ value }) => value).join(' ') : null;
}

function optionValue(args: readonly ShellWord[], option: RegExp): string | null {
  const at = args.findIndex(({ value }) => option.test(value));
  return at === -1 ? null : (args[at + 1]?.value ?? null);
}

function isRemote({ program }: ShellCall): boolean {
  return program === 'ssh';
}

function remoteScript(args: readonly ShellWord[], stdin: string | null): string | null {
  let at = 0;
  while (at < args.length && args[at]!.value.startsWith('-'))
    at += /^-[bcDEeFIiJLlmOopQRSWw]$/.test(args[at]!.value) ? 2 : 1;
  const command = args.slice(at + 1);
  return command.length === 0 ? stdin : command.map(({ value }) => value).join(' ');
}
