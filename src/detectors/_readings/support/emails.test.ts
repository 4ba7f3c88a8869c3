import { expect, it } from 'vitest';
import { emailsIn } from './emails.ts';

it.each([
  ['write to ida.holm+x@mail.example.org, please', ['ida.holm+x@mail.example.org']],
  ['<a@b.de>; c-d@e.fr.', ['a@b.de', 'c-d@e.fr']],
  ['@home, me@localhost, a@ b.de', []],
  [`${'+'.repeat(50_000)}@x`, []],
])('%s', (text, expected) => expect(emailsIn(text)).toEqual(expected));
