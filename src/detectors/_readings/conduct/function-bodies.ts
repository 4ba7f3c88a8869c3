/** A function that a program defines. */
export interface FunctionBody {
  name: string;
  /**
   * Whether the body holds no statement: only comments, a docstring, `pass`, `...` or an error that says so. A comment above
   * the return of a name that the code never assigns is no statement either. Abstract methods and overloads are no stubs.
   */
  isStub: boolean;
  /** The name that such a stub returns; empty if it returns none. */
  unassigned: string;
  /** Whether the body of a Python function has only comments, which is a syntax error. */
  isBlank: boolean;
  /** The first comment or placeholder of a stub; empty if it has none. */
  placeholder: string;
  /** Whether the code ends after the head of the function: its body may be cut off. */
  isCut: boolean;
  /** The statements of a Python function without comments and docstring; empty for other languages. */
  statements: string;
}

const MAX_CODE_LENGTH = 60_000;
const MAX_FUNCTIONS = 200;
/** `def name(` of Python. */
const PYTHON_HEAD = /^([ \t]{0,40})(?:async )?def (\w{1,80})\s{0,4}\(/;
/** `function name(`, `func name(`, `fn name(`, `fun name(`. */
const BRACE_HEAD = /\b(?:function|func|fn|fun) (\w{1,80})\s{0,4}\(/g;
/** A statement that only marks a body as not written. */
const PLACEHOLDER = /^(?:pass|\.\.\.|raise NotImplementedError\b.{0,200})$/;
/** A decorator of a function that has no body by design. */
const DECLARATION = /^\s{0,40}@(?:\w{1,40}\.)?(?:abstractmethod|overload)\b/;
const MAX_HEAD_LINES = 30;

/** The functions that the code defines with `def name(…):` or `function name(…) {…}`, in order. */
export function functionBodies(code: string): FunctionBody[] {
  if (code.length > MAX_CODE_LENGTH) return [];
  return [...pythonBodies(code), ...braceBodies(code)].slice(0, MAX_FUNCTIONS);
}

const WRITTEN = { isStub: false, unassigned: '', isBlank: false, placeholder: '', isCut: false, statements: '' };

function pythonBodies(code: string): FunctionBody[] {
  if (!code.includes('def ')) return [];
  const lines = code.split('\n');
  return lines.flatMap((line, at): FunctionBody[] => {
    const [head, indent, name] = PYTHON_HEAD.exec(line) ?? [];
    if (head === undefined) return [];
    const end = headEnd(lines, at);
    if (end === null || DECLARATION.test(lines[at - 1] ?? '')) return [{ ...WRITTEN, name: name! }];
    const isCut = lines.slice(end + 1).every((each) => each.trim() === '');
    return [{ name: name!, ...readBody(bodyLines(lines, end + 1, indent!.length), code), isCut }];
  });
}

/** The line that ends the head of a function with a colon; null if a statement follows on that line, or no line ends it. */
function headEnd(lines: readonly string[], start: number): number | null {
  for (let at = start; at < Math.min(lines.length, start + MAX_HEAD_LINES); at += 1) {
    const line = withoutComment(lines[at]!);
    if (line.endsWith(':')) return at;
    if (/\)[^()]{0,80}:\s/.test(line)) return null;
  }
  return null;
}

function withoutComment(line: string): string {
  const at = line.indexOf(' #');
  return (at === -1 ? line : line.slice(0, at)).trimEnd();
}

/** Lines that are indented more than the head, with the blank lines and comments among them. */
function bodyLines(lines: readonly string[], start: number, indent: number): string[] {
  const after = lines.slice(start);
  const isOutside = (line: string) => line.trim() !== '' && !/^\s*#/.test(line) && indentOf(line) <= indent;
  const end = after.findIndex(isOutside);
  return (end === -1 ? after : after.slice(0, end)).map((line) => line.trim()).filter((line) => line !== '');
}

/** pytest prints `>` in place of the first blank of the failing line. */
function indentOf(line: string): number {
  const text = line.replace(/^>(?=\s)/, ' ');
  return text.length - text.trimStart().length;
}

function readBody(lines: readonly string[], program: string): Omit<FunctionBody, 'name' | 'isCut'> {
  const rest = withoutDocstring(lines);
  const statements = rest.filter((line) => !line.startsWith('#') && !PLACEHOLDER.test(line));
  const hasComment = rest[0]?.startsWith('#') === true;
  const unassigned = statements.length === 1 && hasComment ? unassignedName(statements[0]!, program) : '';
  const isStub = statements.length === 0 || unassigned !== '';
  const isBlank = lines.every((line) => line.startsWith('#'));
  const code = rest.filter((line) => !line.startsWith('#')).join('\n');
  return { isStub, unassigned, isBlank, placeholder: isStub ? (rest[0] ?? '') : '', statements: code };
}

const RETURN = /^return ([A-Za-z_]\w{0,80});?$/;
const VALUES: ReadonlySet<string> = new Set(['None', 'True', 'False', 'null', 'nil', 'undefined', 'true', 'false']);

/** The name that a statement returns and that the code contains nowhere else; empty if the statement returns no such name. */
function unassignedName(statement: string, code: string): string {
  const name = RETURN.exec(statement)?.[1];
  if (name === undefined || VALUES.has(name) || hasStarImport(code)) return '';
  const isOther = (line: string) => hasWord(line, name) && RETURN.exec(line)?.[1] !== name && !COMMENT.test(line);
  return code.split('\n').some((line) => isOther(line.trim())) ? '' : name;
}

const COMMENT = /^(?:#|\/\/)/;
const WORD = /\w{1,80}/g;

/** Whether a text contains a name as a word. */
export function hasWord(text: string, name: string): boolean {
  return text.includes(name) && text.match(WORD)?.includes(name) === true;
}

function withoutDocstring(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => !line.startsWith('#'));
  const quote = /^[rRuU]?("""|''')/.exec(lines[start] ?? '')?.[1];
  if (quote === undefined) return lines;
  const opening = lines[start]!;
  const closesAtOnce = opening.indexOf(quote, opening.indexOf(quote) + 3) !== -1;
  const end = closesAtOnce ? start : lines.findIndex((line, at) => at > start && line.includes(quote));
  return end === -1 ? [] : [...lines.slice(0, start), ...lines.slice(end + 1)];
}

function braceBodies(code: string): FunctionBody[] {
  return [...code.matchAll(BRACE_HEAD)].flatMap((head): FunctionBody[] => {
    const parameters = closingParenthesis(code, head.index + head[0].length);
    const open = parameters === -1 ? -1 : code.indexOf('{', parameters);
    if (open === -1 || /[;\n]/.test(code.slice(parameters, open).trim())) return [];
    const { at, comment } = skipComments(code, open + 1);
    const statement = comment === '' ? '' : code.slice(at, code.indexOf('}', at)).trim();
    const unassigned = statement === '' ? '' : unassignedName(statement, code);
    const isStub = code[at] === '}' || unassigned !== '';
    const placeholder = isStub ? comment : '';
    return [{ ...WRITTEN, name: head[1]!, isStub, unassigned, placeholder }];
  });
}

function closingParenthesis(code: string, start: number): number {
  for (let at = start, depth = 1; at < code.length; at += 1) {
    if (code[at] === '(') depth += 1;
    else if (code[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return -1;
}

/** The position after blanks and comments, and the first comment. */
function skipComments(code: string, start: number): { at: number; comment: string } {
  let at = start;
  let comment = '';
  for (;;) {
    while (/\s/.test(code[at] ?? '')) at += 1;
    const closing = code.startsWith('//', at) ? '\n' : code.startsWith('/*', at) ? '*/' : null;
    if (closing === null) return { at, comment };
    const end = code.indexOf(closing, at);
    const next = end === -1 ? code.length : end + closing.length;
    comment ||= code.slice(at, next).trim();
    at = next;
  }
}

function hasStarImport(code: string): boolean {
  return code.split('\n').some((line) => /^(?:from|import) /.test(line.trimStart()) && line.includes('*'));
}
