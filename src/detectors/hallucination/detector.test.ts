import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { hallucination } from './detector.ts';

const DOCUMENTS = [
  'The Aldersund yard built the harbour ferry in 1987. It carries 212 passengers and leaves Lindholm at 7:40 on weekdays.',
  'In winter the crossing takes about 35 minutes because of the ice in the northern channel of the harbour.',
];

function answered(answer: string, lookup = `retrieval "harbour ferry" -> ${JSON.stringify(DOCUMENTS)}`): string {
  return `agent guide\nuser "Tell me about the harbour ferry"\n${lookup}\nllm gpt-4o 80/20 -> ${JSON.stringify(answer)}`;
}

const STRANGE =
  'Princess Margarethe christened the vessel Silverwind during a festival attended by ambassadors from Portugal.';

const rows: DetectorRow[] = [
  {
    name: 'unsupported_answer: names and events that no document mentions',
    trace: answered(STRANGE),
    fires: [{ subtype: 'unsupported_answer', step: 2, agent: 'guide', severity: 'warning', text: 'Margarethe' }],
  },
  {
    name: 'unsupported_by_results: the same answer after a search tool',
    trace: answered(
      STRANGE,
      `tool search_web {"q":"ferry"} -> ${JSON.stringify(`${DOCUMENTS.join(' ')} It is the only one of its kind in the country, and it was for many years the way to the islands.`)}`,
    ),
    fires: [{ subtype: 'unsupported_by_results', severity: 'info' }],
  },
  {
    name: 'silent: said in the words of the documents',
    trace: answered('The ferry was built in 1987 and carries 212 passengers.'),
    silent: true,
  },
  { name: 'silent: a document, word for word', trace: answered(DOCUMENTS[0]!), silent: true },
  {
    name: 'silent: a strange document, word for word',
    trace: answered(STRANGE, `retrieval "ferry" -> ${JSON.stringify([DOCUMENTS[1], STRANGE])}`),
    silent: true,
  },
  {
    name: 'silent: a refusal',
    trace: answered('I am sorry, I could not find any prices for bicycles in Venezuela.'),
    silent: true,
  },
  {
    name: 'silent: a question',
    trace: answered('Which Venezuelan bicycles do you prefer for your honeymoon?'),
    silent: true,
  },
  {
    name: 'silent: an answer from records in the words of the agent',
    trace: answered(STRANGE, 'tool get_ferry {"id":4} -> {"built":1987,"seats":212}'),
    silent: true,
  },
  {
    name: 'silent: another language than the documents',
    trace: answered(
      'Prinzessin Margarethe taufte das Schiff bei einem Fest, zu dem auch die Botschafter aus Portugal kamen.',
    ),
    silent: true,
  },
  { name: 'not applicable without a model', trace: 'tool search {} -> "x"', notApplicable: true },
];

testDetector(hallucination, rows, { readme: new URL('./README.md', import.meta.url) });
