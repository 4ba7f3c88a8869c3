import { expect, test } from 'vitest';
import { languageOfReply } from './reply-language.ts';

test.each([
  ['Ticket HD-2231 created.', 'english'],
  ["I've told Anna.", 'english'],
  ['All set.', 'english'],
  ['Bed 4 is dry.', 'english'],
  ['Bed 4 is klaar.', null],
  ['moon and sun, tide and wind', null],
  ['There were 12 of A-500. I ordered 50 from Yıldız Ltd.', 'english'],
  ['Ich habe 50 bestellt.', 'german'],
  ['Listo, he enviado la factura.', 'spanish'],
  ['Sipariş verilemedi.', 'turkish'],
  ['Заказ отклонён.', 'russian'],
  ['予約しました。', 'japanese'],
  ['已订购。', 'chinese'],
  ['Tak for din ordre, den er sendt.', null],
  ['Din beställning är skickad.', null],
  ['تم تأكيد الحجز.', null],
])('%s', (text, language) => {
  expect(languageOfReply(text)).toBe(language);
});

test('other texts of the run decide if the words of the text do not', () => {
  const task = 'Please book a table for two people at the harbour this evening, and tell me the number of the booking.';
  expect(languageOfReply('Table 7 reserved, Rob.')).toBe(null);
  expect(languageOfReply('Table 7 reserved, Rob.', task)).toBe('english');
  expect(languageOfReply('Tisch 7 für Rob.', task)).toBe(null);
  const frage = 'Wo ist das Paket mit der roten Lampe?';
  expect(languageOfReply('Das Paket liegt im Lager in Kiel.')).toBe(null);
  expect(languageOfReply('Das Paket liegt im Lager in Kiel.', frage)).toBe('german');
  expect(languageOfReply('Pakken ligger i Kiel.', frage)).toBe(null);
  expect(languageOfReply('moon and sun, tide and wind', 'tides')).toBe(null);
});
