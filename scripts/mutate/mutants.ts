import { parseAst } from 'vitest/node';

/** One small change of a source text. */
export interface Mutant {
  start: number;
  end: number;
  /** Line of the change, from 1. */
  line: number;
  replacement: string;
  /** Shown in reports: what is replaced by what. */
  description: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

const BINARY: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
};
const LOGICAL: Readonly<Record<string, string>> = { '&&': '||', '||': '&&', '??': '&&' };
const METHODS: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
]);
/** Loops whose condition is never replaced by true, because the test would not end. */
const LOOPS: ReadonlySet<string> = new Set(['ForStatement', 'WhileStatement', 'DoWhileStatement']);

/**
 * The mutants of a TypeScript file: comparisons, arithmetic, conditions, logical operators, numbers, booleans, removed calls
 * and removed filters. Texts, types and the arguments of errors are not mutated.
 */
export function mutantsOf(text: string): Mutant[] {
  const found: Mutant[] = [];
  const add = ({ start, end }: Pick<Node, 'start' | 'end'>, replacement: string) => {
    const line = text.slice(0, start).split('\n').length;
    const description = `${truncate(text.slice(start, end))} → ${replacement === '' ? '(nothing)' : truncate(replacement)}`;
    found.push({ start, end, line, replacement, description });
  };
  for (const node of walk(parseAst(text, { lang: 'ts' }) as unknown as Node)) mutate(node, text, add);
  return found.sort((one, other) => one.start - other.start);
}

function truncate(code: string): string {
  const line = code.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

function* walk(node: Node): Generator<Node> {
  if (node.type.startsWith('TS') && !node.type.endsWith('Expression')) return;
  if (node.type === 'ThrowStatement' || node.type === 'ImportDeclaration') return;
  yield node;
  for (const [member, value] of Object.entries(node)) {
    if (member === 'typeAnnotation' || member === 'returnType' || member === 'typeArguments') continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* walk(child);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

type Add = (place: Pick<Node, 'start' | 'end'>, replacement: string) => void;

function mutate(node: Node, text: string, add: Add): void {
  const source = (each: unknown) => text.slice((each as Node).start, (each as Node).end);
  const operator = node.operator as string;
  const [left, right] = [node.left as Node, node.right as Node];
  const withOperator = (other: string) => {
    const at = text.indexOf(operator, left.end);
    return text.slice(node.start, at) + other + text.slice(at + operator.length, node.end);
  };
  switch (node.type) {
    case 'BinaryExpression':
      if (BINARY[operator] !== undefined && !(operator === '+' && [left, right].some(isText)))
        add(node, withOperator(BINARY[operator]!));
      return;
    case 'LogicalExpression':
      add(node, withOperator(LOGICAL[operator]!));
      return;
    case 'IfStatement':
    case 'ConditionalExpression':
      for (const value of ['true', 'false']) add(node.test as Node, value);
      return;
    case 'UnaryExpression':
      if (operator === '!') add(node, source(node.argument));
      return;
    case 'Literal':
      if (typeof node.value === 'boolean') add(node, String(!node.value));
      if (typeof node.value === 'number') add(node, String(node.value + 1));
      return;
    case 'ExpressionStatement':
      if (isCall(node.expression as Node)) add(node, '');
      return;
    case 'CallExpression':
      mutateCall(node, source, add);
      return;
    default:
      if (LOOPS.has(node.type) && isNode(node.test)) add(node.test, 'false');
  }
}

function mutateCall({ callee, start, end }: Node, source: (node: unknown) => string, add: Add): void {
  const { type, object, property } = callee as Node;
  if (type !== 'MemberExpression') return;
  const name = (property as Node).name as string;
  if (name === 'filter') add({ start, end }, source(object));
  const other = METHODS.get(name);
  if (other !== undefined) add(property as Node, other);
}

function isText({ type, value }: Node): boolean {
  return type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');
}

function isCall({ type, argument }: Node): boolean {
  return type === 'CallExpression' || (type === 'AwaitExpression' && (argument as Node).type === 'CallExpression');
}

export function applyMutant(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
