import type { JsonObject } from '../../src/core/json.ts';
import { seededRandom } from '../fit/seeded-random.ts';

const WORDS =
  'the order ferry harbour invoice shipped account museum ticket customer clerk refund parcel request status open closed number address moved found without before after between signed checked planned'.split(
    ' ',
  );

/** A run of an agent with lookups and answers, as an evaluation record; the same seed gives the same run. */
export function longRun({ steps, characters, seed }: { steps: number; characters: number; seed: number }): JsonObject {
  const random = seededRandom(seed);
  const word = () => WORDS[Math.floor(random() * WORDS.length)]!;
  const prose = (length: number) => {
    const words: string[] = [];
    for (let size = 0; size < length; size += words.at(-1)!.length + 1)
      words.push(random() < 0.08 ? `${Math.floor(random() * 1e5)}.` : word());
    return words.join(' ');
  };
  return {
    id: `bench-${seed}-${steps}`,
    kind: 'trace',
    framework: 'bench',
    task: 'Find out what became of the orders and tell the customer.',
    steps: Array.from({ length: steps }, (_, index) => {
      const agent = index % 7 === 0 ? 'planner' : 'clerk';
      if (index % 2 === 0)
        return {
          kind: 'llm',
          agent,
          name: 'assistant',
          input: prose(characters / 3),
          output: prose((characters * 2) / 3),
        };
      return {
        kind: 'tool',
        agent,
        name: `look_up_${word()}`,
        input: JSON.stringify({ id: index, q: prose(40) }),
        output: prose(characters),
      };
    }),
  };
}
