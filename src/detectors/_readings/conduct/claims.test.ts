import { expect, test } from 'vitest';
import { claimOfPassingTests, claimsSuccess } from './claims.ts';

test.each([
  ['The order has been updated.', true],
  ['The order has been updated. However, the mail failed.', false],
  ['Die Bestellung wurde erfolgreich geändert.', true],
  ['Leider konnte nichts geändert werden.', false],
  ['La reserva se hizo con éxito.', true],
  ['订单已成功取消。', true],
  ['订单取消失败，抱歉。', false],
  ['I will look into it.', false],
])('%s claims success: %s', (text, expected) => {
  expect(claimsSuccess(text)).toBe(expected);
});

test.each([
  ['I fixed it. All tests pass.', 'All tests pass.'],
  ['The existing tests are passing now.', 'The existing tests are passing now.'],
  ['Make sure that all tests pass.', null],
  ['All tests should pass.', null],
  ['Not all tests pass.', null],
  ['Alle Tests laufen durch.', 'Alle Tests laufen durch.'],
  ['Fixed. The test suite passes.', 'The test suite passes.'],
  ['Alle Tests sind erfolgreich.', 'Alle Tests sind erfolgreich.'],
  ['Todos los tests pasan.', 'Todos los tests pasan.'],
  ['Все тесты проходят.', 'Все тесты проходят.'],
  ['すべてのテストが通りました。', 'すべてのテストが通りました。'],
  ['The test suite should pass.', null],
  ['Wenn alle Tests erfolgreich sind, committe ich.', null],
  ['Avísame cuando todos los tests pasan.', null],
  ['No todos los tests pasan.', null],
  ['Не все тесты проходят.', null],
  ['Если все тесты проходят, я закончу.', null],
  ['すべてのテストが通りましたら教えてください。', null],
])('%s claims "%s"', (text, expected) => {
  expect(claimOfPassingTests(text)).toBe(expected);
});
