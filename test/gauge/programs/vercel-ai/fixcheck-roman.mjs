// Fix and check: a coding agent reads a module, runs its tests, edits and runs them again until they pass.
import { generateText, isStepCount } from 'ai';
import { z } from 'zod';

const SOURCE = `const SIGNS = [['M', 1000], ['D', 500], ['C', 100], ['L', 50], ['X', 10], ['V', 5], ['I', 1]];

export function toRoman(number) {
  let text = '';
  for (const [sign, value] of SIGNS)
    while (number >= value) {
      text += sign;
      number -= value;
    }
  return text;
}
`;
const EDITS = {
  nine: { find: "['X', 10], ['V', 5]", put: "['X', 10], ['IX', 9], ['V', 5]" },
  four: { find: "['V', 5], ['I', 1]", put: "['V', 5], ['IV', 4], ['I', 1]" },
  tens: { find: "['L', 50], ['X', 10]", put: "['XC', 90], ['L', 50], ['XL', 40], ['X', 10]" },
  zero: {
    find: "let text = '';",
    put: "if (number <= 0) throw new RangeError('no such Roman number');\n  let text = '';",
  },
};
const CASES = {
  nine: [9, 'IX', 'VIIII'],
  four: [4, 'IV', 'IIII'],
  tens: [40, 'XL', 'XXXX'],
  zero: [0, 'RangeError', ''],
};

export default {
  pattern: 'fix and check',
  healthy: [
    { broken: ['nine'] },
    { broken: ['four', 'nine'] },
    { broken: ['four', 'nine', 'tens'] },
    { broken: ['zero'] },
    { broken: ['nine', 'zero'], typo: true },
    { broken: ['four', 'nine', 'tens', 'zero'] },
    { broken: ['tens'], typo: true },
  ],
  failing: [
    {
      broken: ['nine', 'tens'],
      giveUp: 1,
      fault: 'the last test run is red and the agent says that all tests pass',
      agent: 'maintainer',
      step: 'answer',
      expect: ['quality_gate', 'grounding', 'hallucination', 'completion', 'reasoning_action_mismatch'],
    },
    {
      broken: ['four'],
      same: true,
      fault: 'makes the edit that does not apply again and again until the limit of steps',
      agent: 'maintainer',
      step: 'edit_file',
      expect: ['loop', 'tool_failure'],
    },
  ],
  model({ calls, result }, { broken, typo, giveUp, same }) {
    const file = 'src/roman.js';
    if (calls.length === 0) return { text: 'I look at the module first.', call: ['read_file', { path: file }] };
    const last = calls.at(-1);
    const applied = calls.filter(
      ({ name, result: output }) => name === 'edit_file' && output.includes('1 replacement'),
    ).length;
    if (same && calls.length > 1)
      return { call: ['edit_file', { path: file, find: "['V',5],['I',1]", put: EDITS.four.put }] };
    if (last.name === 'edit_file' && last.result.includes('not found'))
      return {
        text: 'The spacing differs; with the exact line it will apply.',
        call: ['edit_file', { path: file, ...EDITS[broken[applied]] }],
      };
    if (last.name === 'read_file' || last.name === 'edit_file') return { call: ['run_tests', { pattern: 'roman' }] };
    if (giveUp === applied && applied > 0)
      return 'Fixed: toRoman now writes the subtractive forms, and all tests pass.';
    if (!/ 0 failed/.test(result)) {
      const { find, put } = EDITS[broken[applied]];
      const text =
        applied === 0 ? `The run shows ${broken.length} failing; I start with ${CASES[broken[0]][0]}.` : 'One down.';
      return {
        text,
        call: [
          'edit_file',
          { path: file, find: typo && applied === 0 ? find.replaceAll(', ', ',').replace('= ', '=') : find, put },
        ],
      };
    }
    return `toRoman is repaired in ${applied} ${applied === 1 ? 'place' : 'places'} (${broken.map((key) => CASES[key][0]).join(', ')}); the last run has no red test.`;
  },
  run({ chat, tool, named }, { broken, typo }) {
    let source = SOURCE;
    const fixed = () => broken.filter((key) => source.includes(EDITS[key].put));
    const tools = {
      read_file: tool('Reads a file', { path: z.string() }, () => source),
      edit_file: tool(
        'Replaces a text in a file once',
        { path: z.string(), find: z.string(), put: z.string() },
        ({ find, put }) => {
          if (!source.includes(find)) return `text not found in src/roman.js: ${find}`;
          source = source.replace(find, put);
          return '1 replacement';
        },
      ),
      run_tests: tool('Runs the tests', { pattern: z.string() }, () => {
        const red = broken.filter((key) => !fixed().includes(key));
        const lines = red.map(
          (key) => `  ✖ toRoman(${CASES[key][0]})\n    expected ${CASES[key][1]}, got ${CASES[key][2] || "''"}`,
        );
        return `${lines.join('\n')}\n ${12 - red.length} passed, ${red.length} failed (${typo ? 41 : 38} ms)`;
      }),
    };
    return generateText({
      model: chat(),
      system: 'You maintain a small library. Change as little as possible and run the tests after each edit.',
      prompt: `The tests of roman.js are red in CI (${broken.length} failing). Please repair the module.`,
      stopWhen: isStepCount(16),
      tools,
      ...named('maintainer'),
    });
  },
};
