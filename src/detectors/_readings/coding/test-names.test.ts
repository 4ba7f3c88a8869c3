import { expect, test } from 'vitest';
import { failedTestNames } from './test-names.ts';

test.each([
  ['Go', '--- FAIL: TestCart (0.00s)\n    --- FAIL: TestCart/empty (0.00s)', ['TestCart/empty']],
  ['pytest', 'FAILED tests/test_cart.py::test_sum - assert 3 == 4\n1 failed', ['tests/test_cart.py::test_sum']],
  ['unittest', 'FAIL: test_sum (tests.test_cart.CartTest)', ['test_sum (tests.test_cart.CartTest)']],
  ['Vitest', ' FAIL  src/cart.test.ts > cart > adds up', ['src/cart.test.ts > cart > adds up']],
  ['Jest', '  ✕ adds up (12 ms)', ['adds up']],
  ['node:test', '✖ adds up (1.2ms)', ['adds up']],
  ['TAP', 'not ok 2 - adds up', ['adds up']],
  ['TAP with a directive', 'not ok 3 - divides # TODO later', ['divides']],
  ['cargo', 'test cart::adds_up ... FAILED', ['cart::adds_up']],
  ['no failure', 'ok  shop/cart 0.1s\nPASS', []],
])('%s', (_, output, names) => expect(failedTestNames(output)).toEqual(names));
