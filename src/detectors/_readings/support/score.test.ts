import { describe, expect, it } from 'vitest';
import { checkHallucination } from './check-hallucination.ts';
import { scoreGrounding } from './score.ts';

const SOURCE =
  'The harbour ferry leaves Lindholm at 7:40 on weekdays. It was built in 1987 by the Aldersund yard and carries 212 passengers. ' +
  'In winter the crossing takes about 35 minutes because of the ice.';

const rows: { name: string; text: string; sources?: string[]; supported: boolean; missing?: string[] }[] = [
  { name: 'a sentence word for word', text: 'It was built in 1987 by the Aldersund yard.', supported: true },
  {
    name: 'a shortened sentence',
    text: 'The ferry was built by the Aldersund yard and carries 212 passengers.',
    supported: true,
  },
  {
    name: 'another subject',
    text: 'Ticket prices doubled after the mayor resigned.',
    supported: false,
    missing: ['Ticket', 'mayor'],
  },
  {
    name: 'another number and name',
    text: 'Karin Holm sold the museum for 950 crowns in 2004.',
    supported: false,
    missing: ['950', '2004'],
  },
  {
    name: 'Chinese, as its source says',
    text: '渡轮每天早上七点离开港口。',
    sources: ['渡轮每天早上七点离开港口，晚上九点返回。'],
    supported: true,
  },
];

describe('scoreGrounding', () => {
  it.each(rows)('$name', ({ text, sources = [SOURCE], supported, missing = [] }) => {
    const { score, isJudged, sentences } = scoreGrounding(text, sources);
    expect(isJudged).toBe(true);
    expect(score < 0.5).toBe(supported);
    expect(sentences[0]!.supported).toBe(supported);
    expect(sentences[0]!.missing).toEqual(expect.arrayContaining(missing));
  });

  it('reports the unsupported sentence with its position', () => {
    const text = 'The ferry carries 212 passengers. Dolphins follow it through the canal of Venice.';
    const { sentences } = scoreGrounding(text, [SOURCE]);
    expect(sentences.map(({ supported }) => supported)).toEqual([true, false]);
    expect(text.slice(sentences[1]!.start)).toBe(sentences[1]!.text);
  });

  it.each([
    ['no sources', 'The ferry is fast.', []],
    ['blank sources', 'The ferry is fast.', ['  ']],
    ['no words', '?!', [SOURCE]],
    ['another script', '渡轮每天早上七点离开港口。', [SOURCE]],
    [
      'another language',
      'Die Fähre wurde von der Werft gebaut und fährt jeden Morgen über den See nach Süden.',
      [SOURCE],
    ],
  ])('does not judge: %s', (_, text, sources) => {
    expect(scoreGrounding(text, sources)).toMatchObject({ score: 0.5, isJudged: false, sentences: [] });
    expect(checkHallucination(text, sources)).toMatchObject({
      isHallucination: false,
      confidence: 0,
      groundingScore: null,
    });
  });

  it('states that another language is only partly supported', () => {
    const german = 'Die Fähre wurde von der Werft gebaut und fährt jeden Morgen über den See nach Süden.';
    expect(scoreGrounding(german, [`${german} Im Winter fährt sie nicht.`])).toMatchObject({
      isJudged: true,
      language: 'limited',
    });
  });

  it('reads a source of 40,000 sentences to its end', () => {
    const sentences = Array.from({ length: 40_000 }, (_, at) => `The ferry number ${at} carries goods.`);
    const source = [...sentences, 'The pilot Karin Holm owns a lighthouse.'].join(' ');
    const { sentences: judged } = scoreGrounding('The ferry carries goods. The pilot Karin Holm owns a lighthouse.', [
      source,
    ]);
    expect(judged.map(({ supported }) => supported)).toEqual([true, true]);
  });
});

describe('checkHallucination', () => {
  it('returns verdict, sentences and missing words', () => {
    const check = checkHallucination('Ticket prices doubled after the mayor resigned.', [SOURCE]);
    expect(check).toMatchObject({ isHallucination: true, language: 'full' });
    expect(check.explanation).toContain('1 of 1 sentences');
    expect(check.explanation).toContain('mayor');
  });

  it('accepts statements of the source', () => {
    const check = checkHallucination('It was built in 1987 by the Aldersund yard.', [SOURCE]);
    expect(check.isHallucination).toBe(false);
    expect(check.groundingScore).toBeGreaterThan(0.5);
  });
});
