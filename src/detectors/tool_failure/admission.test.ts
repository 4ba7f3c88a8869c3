import { expect, test } from 'vitest';
import { admissionIn } from './admission.ts';

const REFUSED = 'connect ECONNREFUSED';
const SERVER_ERROR = '500 Internal Server Error';

test.each([
  ['Brake pads: 7 sets are in stock.', REFUSED, 'none'],
  ['Your table is booked for eight.', 'timed out after 30 s', 'none'],
  ['The list could not be read.', 'timed out after 30 s', 'admits'],
  ['The scale in hall 3 is still occupied.', 'scale occupied', 'admits'],
  ['Der Dienst ist gerade nicht erreichbar.', REFUSED, 'unclear'],
  ['Der Tisch ist für acht Uhr reserviert.', REFUSED, 'none'],
  ['在庫は確認できませんでした。', REFUSED, 'admits'],
  ['请问您的姓名是什么?', 'user not found', 'unclear'],
])('%s', (text, error, expected) => {
  expect(admissionIn(text, { error })).toBe(expected);
});

test.each([
  'The document is ready for you now.',
  'Your appointment is moved to Tuesday.',
  'The payment went through for you.',
  'The account is open for you now.',
  'The client is in the list now.',
  'I want you to know that it is done.',
  'The event is in your calendar now.',
  'I sent it to you.',
  'The rent is paid for you now.',
  'The tent is booked for you.',
  'The content is published for you.',
  'The agent is installed on your machine.',
  "I've refunded it.",
  "I've booked it.",
  "I've refunded €34.90.",
  'I told Anna.',
  'All 4 checks passed.',
  'Task completed successfully.',
  'Order placed: 50 x A-500.',
  'Ticket HD-2231 created.',
  'User k.meier deleted.',
  'I ordered 50 pieces from Bolt Ltd., delivery on 30 November 2026.',
  'There were 12 of A-500 in Ankara. I ordered 50 from Yıldız Ltd., delivery on 30 November 2026.',
  'Your parcel is on its way. Do not hesitate to ask.',
  'The refund is done. If you have any other problems, write to us.',
  "Don't worry, the table is reserved.",
  'The import ran without any errors.',
  'The order has been cancelled and will not be shipped.',
  'The server is restarted.',
])('a claim in English admits nothing: %s', (text) => {
  expect(admissionIn(text, { error: SERVER_ERROR })).toBe('none');
});

test.each([
  'I could not refund it.',
  'I couldn’t refund it.',
  'I was unable to book it.',
  'The refund failed.',
  'Unfortunately the shop is closed today.',
  "The refund didn't go through.",
  'The refund was not processed.',
  'There was an error on the side of the bank.',
  'I ran into a problem while booking.',
  'The service is down at the moment.',
  'The request timed out.',
  'Sorry, I have to hand this over to a colleague.',
  'The server answered with 500.',
  'The mail server is unreachable.',
  'All but one of them are done.',
  'The page is gone.',
])('an admission in English: %s', (text) => {
  expect(admissionIn(text, { error: SERVER_ERROR })).toBe('admits');
});

test.each([
  ['I booked another room.'],
  ['The table is booked, but bring an umbrella.'],
  ['You will never have to call again.'],
  ['The order will not be charged.'],
])('a word that can mean anything is no clear admission: %s', (text) => {
  expect(admissionIn(text, { error: SERVER_ERROR })).toBe('unclear');
});

test.each([
  ['Ich habe 50 Stück bei Yıldız Ltd. bestellt, Lieferung am 30. November.', 'none'],
  ['Es waren 12 Stück. Die Bestellung wurde leider abgelehnt.', 'admits'],
  ['Der Benutzer lässt sich nicht löschen.', 'unclear'],
  ['He pedido 50 a Yıldız Ltd., la entrega es el 30 de noviembre.', 'none'],
  ['Lo siento, no pude guardar la reserva.', 'admits'],
  ["J'ai commandé 50 pièces chez Yıldız Ltd., livraison le 30 novembre.", 'none'],
  ["La commande n'a pas été enregistrée.", 'unclear'],
  ['Ho ordinato 50 pezzi da Yıldız Ltd., consegna il 30 novembre.', 'none'],
  ['Non è stato possibile inviare la mail.', 'unclear'],
  ['Encomendei 50 unidades à Yıldız Ltd., a entrega está marcada para 30 de novembro.', 'none'],
  ['Ik heb er 50 besteld bij Yıldız Ltd., de levering is op 30 november.', 'none'],
  ['De bestelling is helaas niet gelukt.', 'admits'],
  ['Zamówiłem 50 sztuk w Yıldız Ltd., dostawa jest na 30 listopada.', 'none'],
  ['Zamówienie zostało odrzucone.', 'unclear'],
  ['Я заказал 50 штук, доставка 30 ноября.', 'none'],
  ['Заказ отклонён поставщиком.', 'unclear'],
  ['我已订购50件,11月30日交货。', 'none'],
  ['订购失败了。', 'admits'],
  ['供应商拒绝了订单。', 'unclear'],
  ['50個を注文しました。11月30日に届きます。', 'none'],
  ['注文は拒否されました。', 'unclear'],
  ['50개를 주문했으며 11월 30일에 도착합니다.', 'none'],
  ['주문이 거부되었습니다.', 'unclear'],
  ['Yıldız firmasına 50 adet sipariş verdim, 30 Kasım tarihinde teslim edilecek.', 'none'],
  ['Sipariş verilemedi.', 'unclear'],
  ['Bestillingen er afsendt i dag.', 'unknown'],
  ['تم تأكيد الحجز.', 'unknown'],
  ['تم تأكيد الحجز وسيصل إليك البريد الإلكتروني خلال ساعات قليلة من الآن.', 'unknown'],
])('an answer in another language: %s', (text, expected) => {
  expect(admissionIn(text, { error: SERVER_ERROR })).toBe(expected);
});

test.each([
  ['All open issues of milestone 3 are closed now.', 'Close the open issues of milestone 3.', 'none'],
  ['Both open p1 issues (#412 and #377) are assigned to you.', 'Which open issues have the label "p1"?', 'none'],
  ['The error message on the login page now says "Wrong password".', 'Fix the error message.', 'none'],
  ['The failed invoices are in the folder "failed" now.', 'Move the failed invoices to the folder "failed".', 'none'],
  ['The problem statement is in the wiki now.', 'Add the problem statement to the wiki.', 'none'],
  ['I told the team that Tom is unable to come today.', 'Tell the team that Tom is unable to come.', 'none'],
  ['I closed the issues, there was an error with the last one.', 'Close the open issues with an error.', 'admits'],
  ['The refund failed.', 'Refund the failed order. If the refund fails, tell me.', 'admits'],
  ['There are open issues.', '', 'admits'],
])('a word that the run already used for its topic is no admission: %s', (text, known, expected) => {
  expect(admissionIn(text, { error: SERVER_ERROR, known })).toBe(expected);
});

test.each([
  [
    'Mr. Brandt has your form and is calling you now.',
    'Brandt is on leave, form not sent',
    '{"to":"Mr. Brandt"}',
    'none',
  ],
  ['The scale in hall 3 is occupied.', 'scale occupied', '{"scale":3}', 'admits'],
  ['https://a.example/2 and https://a.example/3 are dead.', '404 Not Found', '{"url":"https://a.example/2"}', 'admits'],
  ['POST, PUT and DELETE are answered with 401.', '401 Unauthorized', '{"path":"/notes"}', 'admits'],
  ['Yes, request 101 is answered with 429.', '429 Too Many Requests', '{"n":101}', 'admits'],
  ['Yes, shop.example is still free.', 'No match for domain "shop.example"', '{"domain":"shop.example"}', 'admits'],
  ['Room 401 is booked for you.', '401 Unauthorized', '{"room":401}', 'none'],
  [
    'I created the order with the supplier, it will be delivered on 30 November.',
    'The order could not be created: supplier account suspended',
    '{"supplier":"S-1","item":"A-500"}',
    'none',
  ],
])('arguments and error of the call: %s', (text, error, passed, expected) => {
  expect(admissionIn(text, { error, passed, known: 'Order 50 pieces from the supplier. Are the links dead?' })).toBe(
    expected,
  );
});
