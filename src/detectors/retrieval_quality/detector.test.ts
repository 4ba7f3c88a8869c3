import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { retrievalQuality } from './detector.ts';

const ANSWER = 'llm gpt-4o 80/20 -> "Returns are free for thirty days."';

const rows: DetectorRow[] = [
  {
    name: 'empty: nothing found, but answered',
    trace: `agent guide\nretrieval "return policy for kettles" -> []\n${ANSWER}`,
    fires: [{ subtype: 'empty', step: 0, severity: 'warning', text: 'return policy' }],
  },
  {
    name: 'empty: a tool that searches a knowledge base',
    trace: `agent guide\ntool knowledge_search {"query":"return policy"} -> "No results found."\n${ANSWER}`,
    fires: [{ subtype: 'empty', text: 'knowledge_search' }],
  },
  {
    name: 'irrelevant: not one word of the query',
    trace: `agent guide\nretrieval "return policy for broken kettles" -> ["The museum of the harbour opens at nine and is closed on Mondays.","Whales were seen off the northern coast last summer."]\n${ANSWER}`,
    fires: [{ subtype: 'irrelevant', severity: 'warning', text: 'kettles' }],
  },
  {
    name: 'duplicate: one document four times',
    trace: `agent guide\nretrieval "return policy" -> ["Returns are free.","Returns are free.","Returns  are free.","returns are free."]\n${ANSWER}`,
    fires: [{ subtype: 'duplicate', severity: 'info' }],
  },
  {
    name: 'silent: nothing found, and said so',
    trace: 'agent guide\nretrieval "return policy" -> []\nllm gpt-4o 8/9 -> "I could not find anything about it."',
    silent: true,
  },
  {
    name: 'silent: found at the second try',
    trace: `agent guide\nretrieval "policy of returning kettles" -> []\nretrieval "return policy" -> ["Our return policy: thirty days."]\n${ANSWER}`,
    silent: true,
  },
  {
    name: 'silent: other forms of the words',
    trace: `agent guide\nretrieval "returning broken kettles" -> ["A kettle that breaks can be returned."]\n${ANSWER}`,
    silent: true,
  },
  {
    name: 'silent: a query in another language than the documents',
    trace: `agent guide\nretrieval "wie kann ich einen kaputten Wasserkocher wieder an den Laden zurückgeben" -> ["The shop takes back what is broken, and it will pay for the way there and back."]\n${ANSWER}`,
    silent: true,
  },
  {
    name: 'silent: a search of something else may find nothing',
    trace: `agent guide\ntool search_flights {"to":"Oslo"} -> []\n${ANSWER}`,
    silent: true,
  },
  { name: 'not applicable without steps', trace: '', notApplicable: true },
];

testDetector(retrievalQuality, rows, { readme: new URL('./README.md', import.meta.url) });
