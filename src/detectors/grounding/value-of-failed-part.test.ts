import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { grounding } from './detector.ts';

const REFUSED = 'I could not research Sweden: the search tool rejected my key.';
const TABLE = '| Norway | up to 32,500 NOK |\n| Sweden | at most 60,000 SEK |';

/** Two parts of a request, and the answer made of them. */
const compared = (answer: string, { sweden = REFUSED, after = '' } = {}) =>
  `user "Compare the solar subsidies of Norway and Sweden."
agent supervisor
tool delegate {"task":"Solar subsidy in Norway"} -> "Norway: Enova pays up to 32,500 NOK."
tool delegate {"task":"Solar subsidy in Sweden"} -> ${JSON.stringify(sweden)}
${after}
llm m -> ${JSON.stringify(answer)}`;

const rows: DetectorRow[] = [
  {
    name: 'value_without_result: an agent reported that its part failed, and the answer states a value for it',
    trace: compared(TABLE),
    fires: [
      {
        subtype: 'value_without_result',
        step: 3,
        agent: 'supervisor',
        severity: 'warning',
        text: 'delegate at step 2 returned "I could not research Sweden: the search tool rejected my key.". The answer of supervisor at step 3 states "60,000" about Sweden, which no recorded prompt, message or result contains.',
      },
    ],
  },
  {
    name: 'value_without_result: in a sentence',
    trace: compared('Norway pays 32,500 NOK. Sweden pays 60,000 SEK.'),
    fires: [{ subtype: 'value_without_result' }],
  },
  {
    name: 'silent: the line says that it is unknown',
    trace: compared('| Norway | 32,500 NOK |\n| Sweden | not found (60,000 SEK in 2020) |'),
    silent: true,
  },
  {
    name: 'silent: the answer says that a part failed',
    trace: compared(`${TABLE}\n\nSweden could not be checked; the figure may be old.`),
    silent: true,
  },
  {
    name: 'silent: the part worked',
    trace: compared(TABLE, { sweden: 'Sweden pays a part of the costs.' }),
    silent: true,
  },
  {
    name: 'silent: the agent gave a value of its own',
    trace: compared(TABLE, { sweden: 'I could not open the page for Sweden. An older one says 60,000 SEK.' }),
    silent: true,
  },
  {
    name: 'silent: a later call is about the same name',
    trace: compared(TABLE, { after: 'tool read_page {"country":"Sweden"} -> "a tax deduction"' }),
    silent: true,
  },
];

testDetector(grounding, rows);
