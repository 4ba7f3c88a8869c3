// Map and reduce in code: songs are rated in parallel by three listeners each, then a producer puts the running order together.
import { generateText } from 'ai';

const SONGS = {
  Tidewrack: [7, 8, 6],
  'Ninth Floor': [5, 4, 6],
  'Salt and Tin': [9, 8, 9],
  Halogen: [6, 6, 7],
  'Little Owl': [8, 9, 9],
  'Mornings at the Depot': [4, 7, 5],
  Øresund: [7, 7, 8],
};
const EARS = [
  [
    'drummer',
    'You are a drummer. Rate the groove of a song from 1 to 10, with half a sentence.',
    ['it drags in the bridge', 'tight all the way', 'the hi-hat is too loud'],
  ],
  [
    'lyricist',
    'You are a lyricist. Rate the words of a song from 1 to 10, with half a sentence.',
    ['one image too many', 'plain and strong', 'the chorus says what the verse said'],
  ],
  [
    'kid',
    'You are fourteen. Rate a song from 1 to 10, with half a sentence.',
    ['skip', 'would dance', 'sounds like dad’s car'],
  ],
];

export default {
  pattern: 'map and reduce',
  healthy: [{ songs: 3 }, { songs: 4 }, { songs: 5 }, { songs: 7 }, { songs: 2 }, { songs: 6 }],
  failing: [
    {
      songs: 4,
      down: 'lyricist',
      fault: 'one of three listeners fails for every song and the order claims that all have voted',
      agent: 'lyricist',
      step: 'model call',
      expect: ['tool_failure', 'coordination', 'quality_gate', 'withholding'],
    },
    {
      songs: 5,
      flipped: true,
      fault: 'the order puts the songs with the lowest marks first, against the marks',
      agent: 'producer',
      step: 'answer',
      expect: ['grounding', 'hallucination', 'coordination', 'specification', 'quality_gate', 'communication'],
    },
  ],
  model({ system, user }, { songs, down, flipped }) {
    const at = EARS.findIndex(([, brief]) => brief === system);
    if (at >= 0) {
      if (EARS[at][0] === down)
        return {
          status: 429,
          error: 'Rate limit reached for gpt-4o-mini: limit 3 requests per minute',
          code: 'rate_limit_exceeded',
        };
      const name = /“(.+)”/.exec(user)[1];
      return `${SONGS[name][at]}, ${EARS[at][2][name.length % 3]}`;
    }
    const mean = (name) => SONGS[name].reduce((a, b) => a + b) / 3;
    const order = Object.keys(SONGS)
      .slice(0, songs)
      .sort((a, b) => (flipped ? mean(a) - mean(b) : mean(b) - mean(a)));
    return `Running order after the votes of all three listeners:\n${order.map((name, n) => `${n + 1}. ${name}`).join('\n')}\nWe open with the song that the votes put on top.`;
  },
  run: ({ chat, named, within }, { songs }) =>
    within('album', async () => {
      const names = Object.keys(SONGS).slice(0, songs);
      const votes = await Promise.all(
        names.flatMap((name) =>
          EARS.map(([who, system]) =>
            generateText({ model: chat('gpt-4o-mini'), system, prompt: `The song “${name}”.`, ...named(who) }).then(
              ({ text }) => `${name} – ${who}: ${text}`,
              () => `${name} – ${who}: no vote`,
            ),
          ),
        ),
      );
      await generateText({
        model: chat(),
        system: 'You produce records. Order the songs by their votes, best first.',
        prompt: votes.join('\n'),
        ...named('producer'),
      });
    }),
};
