import { expect, test } from 'vitest';
import type { FailedCode } from '../../core/trace.ts';
import { failedCode } from './failed-code.ts';

const READ = (property: string, line: number) =>
  `Cannot read properties of undefined (reading '${property}') [line ${line}]`;

test.each<[string, string, string, Partial<FailedCode> | null]>([
  [
    'a local variable without a value',
    'const x = undefined; return x.field;',
    READ('field', 1),
    { value: 'x', isFromInput: false },
  ],
  [
    'a variable that is declared and not set',
    'let x;\nreturn x.field;',
    READ('field', 2),
    { value: 'x', isFromInput: false },
  ],
  ['the input itself', 'return $json.order.price;', READ('price', 1), { value: '$json.order', isFromInput: true }],
  [
    'a call that reads the input',
    "const a = 1;\nreturn $input.first().json.order['price'];",
    READ('price', 2),
    { line: 2, value: '$input.first().json.order', isFromInput: true },
  ],
  [
    'a variable that is set from the input',
    'const data = $input.first().json;\nconst order = data.order;\nreturn order.price;',
    READ('price', 3),
    { value: 'order', isFromInput: true },
  ],
  [
    'a parameter that takes the items',
    'return $input.all().map((row) => row.json.order.price);',
    READ('price', 1),
    { value: 'row.json.order', isFromInput: true },
  ],
  [
    'a loop over the items',
    'for (const one of items) {\n  sum += one.json.order.price;\n}',
    READ('price', 2),
    { isFromInput: true },
  ],
  [
    'an own variable with the name of the input',
    'const items = [];\nreturn items[0].json;',
    READ('json', 2),
    { isFromInput: null },
  ],
  ['a variable of a pattern', 'let x;\n({ x } = $json);\nreturn x.a;', READ('a', 3), { value: 'x', isFromInput: null }],
  [
    'a value of a function',
    'const order = find(7);\nreturn order.price;',
    READ('price', 2),
    { value: 'order', isFromInput: null },
  ],
  [
    'a variable that is set again',
    'let x = {};\nx = $json;\nreturn x.a.b;',
    READ('b', 3),
    { value: 'x.a', isFromInput: null },
  ],
  [
    'a property that the line does not name',
    'return total(order);',
    READ('price', 1),
    { value: null, isFromInput: null },
  ],
  [
    'two values of which the property is read',
    'return a.price + b.price;',
    READ('price', 1),
    { value: null, isFromInput: null },
  ],
  [
    'an error of the code itself',
    "throw new Error('record 2 is broken');",
    'record 2 is broken [line 1, for item 0]',
    { value: null, isFromInput: null },
  ],
  ['no line', 'return 1;', 'boom', null],
  ['a line that the code does not have', 'return 1;', READ('a', 7), null],
])('%s', (_, jsCode, message, expected) => {
  const found = failedCode({ jsCode }, { message });
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatchObject(expected);
});

test('the line is quoted without its indentation, and a long line is cut', () => {
  const jsCode = `// sum\n    const x = undefined;   \n${'y'.repeat(500)}`;
  expect(failedCode({ jsCode }, { message: 'x', lineNumber: 2 })?.text).toBe('const x = undefined;');
  expect(failedCode({ jsCode }, { message: 'x', lineNumber: 3 })?.text).toHaveLength(161);
});

test('only nodes with code have a line', () => {
  expect(failedCode({ url: 'x' }, { message: 'x', lineNumber: 1 })).toBeNull();
  expect(failedCode(null, { message: 'x', lineNumber: 1 })).toBeNull();
});
