import { expect, it } from 'vitest';
import { isProgramText } from './program-text.ts';

it.each([
  'def area(a, b):\n    return a * b',
  'print(2 + 2)',
  'import pandas as pd\ndf = pd.read_csv("a.csv")\ndf.head()',
  '# load the data\nfrom helper import load\n\nrows = load()\nfor row in rows:\n    print(row)',
  'from my_tests import run\n\ndef add(a, b):\n    """Add two numbers.\n    The sum is returned in the unit of a.\n    """\n    return a + b\n\nrun(add)',
  'const rows = await db.all("SELECT 1");\nconsole.log(rows.length);',
  'function area(a, b) {\n  return a * b;\n}',
])('a program: %s', (text) => {
  expect(isProgramText(text)).toBe(true);
});

it.each([
  '',
  'Arun Date',
  'print the report for March',
  'class of 1984',
  'import duties of Norway',
  'SELECT name FROM users WHERE id = 7',
  'ls -la | grep x',
  'for x in a b; do echo $x; done',
  '{"path": "a.py", "content": "def f(): pass"}',
  'x = 5',
  'Please write a function.\ndef f(a):\nIt must return the square of a.\nUse no library.\nExplain each line.',
  'create reproduce_bug.py',
])('no program: %s', (text) => {
  expect(isProgramText(text)).toBe(false);
});
