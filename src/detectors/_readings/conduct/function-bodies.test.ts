import { expect, test } from 'vitest';
import { functionBodies } from './function-bodies.ts';

const ROWS: [name: string, code: string, stubs: Record<string, boolean>][] = [
  ['a comment', 'def tide(hour):\n    # write this\n\nrun(tide)', { tide: true }],
  [
    'a docstring of several lines',
    'def tide(hour):\n    """Level.\n    >>> tide(1)\n    2\n    """\n\nrun(tide)',
    { tide: true },
  ],
  ['a docstring and a statement', 'def tide(hour):\n    """Level."""\n    return 2', { tide: false }],
  ['a docstring and a placeholder', "def tide(hour):\n    '''Level.'''\n    ...", { tide: true }],
  ['pass', 'async def tide(hour):\n    pass', { tide: true }],
  ['an error that says that it is missing', 'def tide(hour):\n    raise NotImplementedError("later")', { tide: true }],
  ['a statement on the line of the head', 'def tide(hour): return 2', { tide: false }],
  ['a head of several lines', 'def tide(\n    hour,  # 0 to 23\n    day=1,\n) -> int:\n    # later\n', { tide: true }],
  [
    'methods',
    'class Sea:\n    def tide(self):\n        pass\n    def wave(self):\n        return 1\n',
    { tide: true, wave: false },
  ],
  ['a nested function', 'def tide(hour):\n    def wave():\n        pass\n    return wave', { tide: false, wave: true }],
  [
    'an abstract method',
    'class Sea(ABC):\n    @abc.abstractmethod\n    def tide(self): \n        ...',
    { tide: false },
  ],
  ['JavaScript', 'function tide(hour) {\n  // later\n}\nfunction wave() { return 1; }', { tide: true, wave: false }],
  ['Go', 'func tide(hour int) int {\n  /* later */\n}', { tide: true }],
  ['Rust', 'fn tide(hour: u8) -> u8 { hour % 6 }', { tide: false }],
  [
    'a comment and a name that nothing assigns',
    'def tide(hour):\n    """Level."""\n\n    # complete this\n\n    return level\n\nrun(tide)',
    { tide: true },
  ],
  ['a comment and an ellipsis', 'def tide(hour):\n    # complete this\n    ...\n\nrun(tide)', { tide: true }],
  ['a comment and a parameter', 'def tide(hour):\n    # the hour is the level\n    return hour', { tide: false }],
  [
    'a comment and a name of the module',
    'level = 2\n\ndef tide(hour):\n    # the same at each hour\n    return level',
    { tide: false },
  ],
  [
    'a comment and a name that a star import may define',
    'from sea import *\n\ndef tide(hour):\n    # the same at each hour\n    return level',
    { tide: false },
  ],
  ['a comment and a value', 'def tide(hour):\n    # always low\n    return None', { tide: false }],
  ['a name without a comment', 'def tide(hour):\n    return level', { tide: false }],
  [
    'JavaScript: a comment and a name that nothing assigns',
    'function tide(hour) {\n  // complete this\n  return level;\n}\nfunction wave(height) {\n  // as given\n  return height;\n}',
    { tide: true, wave: false },
  ],
  ['a declaration without a body', 'declare function tide(hour: number): number;\nif (x) {}', {}],
];

test.each(ROWS)('%s', (_name, code, stubs) => {
  expect(Object.fromEntries(functionBodies(code).map(({ name, isStub }) => [name, isStub]))).toEqual(stubs);
});

test('the placeholder in the body of a stub', () => {
  expect(functionBodies('def tide(hour):\n    """Level."""\n    # write this\n')[0]).toMatchObject({
    placeholder: '# write this',
  });
});
