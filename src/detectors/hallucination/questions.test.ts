import { describe, expect, it } from 'vitest';
import { closestPassages } from './questions.ts';

const FILLER = 'Nothing of interest happened on that day, and the harbour was quiet. '.repeat(12);

describe('the closest passages', () => {
  it('are those with words of the statements, in the order of the sources', () => {
    const sources = [
      `${FILLER}\nThe captain was Lindqvist.\n`,
      FILLER,
      `The lighthouse was demolished in 1954.\n${FILLER}`,
    ];
    const shown = closestPassages(sources, ['Lindqvist demolished the lighthouse in 1954.'], 1_600);
    expect(shown.indexOf('Lindqvist')).toBeGreaterThanOrEqual(0);
    expect(shown.indexOf('1954')).toBeGreaterThan(shown.indexOf('Lindqvist'));
    expect(shown.length).toBeLessThanOrEqual(1_600);
  });

  it('are all passages if all of them fit', () => {
    expect(closestPassages(['One.', 'Two.'], ['Three.'], 100)).toBe('One.\n\nTwo.');
  });

  it.each([[[]], [['']], [['x'.repeat(5_000)]]])('of unusual sources are finite', (sources) => {
    expect(closestPassages(sources, ['x'], 900).length).toBeLessThanOrEqual(900);
  });
});
