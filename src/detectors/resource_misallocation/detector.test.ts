import { type DetectorRow, testDetector } from '../_kit/tester.ts';
import { resourceMisallocation } from './detector.ts';

const PAGE = 'the page lists ferry lines between the islands';
const run = (result: string, tokens = '900/20') => `
agent surfer
repeat 9
  llm gpt-4o ${tokens} -> "next"
  tool search_web {"page":"{n}"} -> ${result}
agent writer
llm gpt-4o 100/20 -> "There are ferry lines."`;

const rows: DetectorRow[] = [
  {
    name: 'barren_agent: page after page of the same',
    trace: run(`"${PAGE}"`),
    fires: [{ subtype: 'barren_agent', step: 3, agent: 'surfer', severity: 'warning', says: '8 of its 9' }],
    isPrefixInvariant: false,
  },
  {
    name: 'silent: each page brings something',
    trace: run('"alpha{n} beta{n} gamma{n} delta{n}"'),
    silent: true,
  },
  { name: 'silent: a small share of the tokens', trace: run(`"${PAGE}"`, '5/1'), silent: true },
  { name: 'not applicable without tokens', trace: 'agent a\ntool search {} -> "x"', notApplicable: true },
];

testDetector(resourceMisallocation, rows, { readme: new URL('./README.md', import.meta.url) });
