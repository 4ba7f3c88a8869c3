import { describe, expect, it } from 'vitest';
import { discordProblem, slackProblem } from './chat-limits.ts';

const header = { type: 'header', text: { type: 'plain_text', text: 'hello' } };
const section = (length: number) => ({ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(length) } });

describe('the check of block messages', () => {
  it.each([
    ['a header', { text: 'hello', blocks: [header] }, null],
    ['no fallback', { blocks: [header] }, 'no_text'],
    ['too many blocks', { text: 'x', blocks: Array(51).fill(header) }, 'blocks not 1 to 50'],
    [
      'a long header',
      { text: 'x', blocks: [{ type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } }] },
      'text over 150',
    ],
    ['a long section', { text: 'x', blocks: [section(3_001)] }, 'text over 3000'],
    ['an empty section', { text: 'x', blocks: [section(0)] }, 'empty text'],
    ['too long in total', { text: 'x', blocks: Array(5).fill(section(2_900)) }, 'msg_blocks_too_long'],
  ])('%s', (_name, message, problem) => {
    expect(slackProblem(message)).toBe(problem);
  });
});

describe('the check of embeds', () => {
  const embed = { title: 'x', description: 'x', color: 1, fields: [], footer: { text: 'x' } };
  it.each([
    ['an embed', { embeds: [embed] }, null],
    ['nothing', {}, 'empty message'],
    ['a long title', { embeds: [{ ...embed, title: 'x'.repeat(257) }] }, 'title over 256'],
    ['a long description', { embeds: [{ ...embed, description: 'x'.repeat(4_097) }] }, 'description over 4096'],
    ['an empty field', { embeds: [{ ...embed, fields: [{ name: 'x', value: '' }] }] }, 'a field is empty or too long'],
    ['too long in total', { embeds: Array(2).fill({ ...embed, description: 'x'.repeat(3_500) }) }, 'embeds over 6000'],
    ['too many', { embeds: Array(11).fill(embed) }, 'more than 10 embeds'],
  ])('%s', (_name, message, problem) => {
    expect(discordProblem(message)).toBe(problem);
  });
});
