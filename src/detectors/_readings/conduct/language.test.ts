import { expect, test } from 'vitest';
import { languageOf } from './language.ts';

test.each([
  ['The harbour is open from six and it is closed on the first Monday of the month.', 'english'],
  ['Der Hafen ist ab sechs Uhr offen und er ist am ersten Montag im Monat nicht offen.', 'german'],
  ['Le port est ouvert dans la matinée et il est fermé pour les vacances de la ville.', 'french'],
  ['El puerto está abierto por la mañana y se cierra con la llegada de los barcos del norte.', 'spanish'],
  ['港口每天早上六点开放，每月的第一个星期一关闭。', 'chinese'],
  ['港は毎朝六時に開きますが、第一月曜日は休みです。', 'japanese'],
  ['Порт открыт с шести утра, по понедельникам закрыт.', 'russian'],
  ['ok', null],
  ['const total = items.reduce((sum, item) => sum + item.price, 0); return total; items.map(String)', null],
])('%s is %s', (text, expected) => {
  expect(languageOf(text)).toBe(expected);
});
