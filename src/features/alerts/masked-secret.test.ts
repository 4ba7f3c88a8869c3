import { expect, it } from 'vitest';
import { isMask, maskedSecret, maskedUrl } from './masked-secret.ts';

it.each([
  ['https://hooks.slack.com/services/T0/B0/abcdefgh', 'https://hooks.slack.com/****efgh'],
  ['https://chat.example.com:8443/h?key=secretsecret', 'https://chat.example.com:8443/****cret'],
  ['https://chat.example.com/short', 'https://chat.example.com/****'],
  ['https://chat.example.com', 'https://chat.example.com/****'],
])('%s shows as %s', (url, mask) => {
  expect(maskedUrl(url)).toBe(mask);
  expect([isMask(mask), isMask(url)]).toEqual([true, false]);
});

it('a signing secret shows its end', () => {
  expect(maskedSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toBe('whsec_****LaSw');
});
