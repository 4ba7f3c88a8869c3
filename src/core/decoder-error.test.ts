import { describe, expect, it } from 'vitest';
import {
  isDecoderError,
  isPlaceholderError,
  PLACEHOLDER_ERROR,
  WRITTEN_ERRORS,
  writtenError,
} from './decoder-error.ts';

it.each(Object.values(PLACEHOLDER_ERROR))('a decoder wrote "%s", which says nothing', (message) => {
  expect([isPlaceholderError(message), isDecoderError(message)]).toEqual([true, true]);
});

it.each(WRITTEN_ERRORS)('a decoder wrote the message %s, which says something', (name) => {
  const message = writtenError(name, 'some. fact; of 3', 7);
  expect([isPlaceholderError(message), isDecoderError(message)]).toEqual([false, true]);
  expect(message).not.toContain('{}');
});

describe('the words of a sender', () => {
  it.each([
    'exit code 1',
    'The program ended with exit code 1.\nNo such file',
    'Docker: The program ended with exit code 1.',
    'The run ended with status.',
    'The run ended with status failed. See the log',
    'n8n ended the node: .',
    'The node failed (3 items)',
    'refused by ',
    'Connection refused',
  ])('%j', (message) => {
    expect(isDecoderError(message)).toBe(false);
  });
});
