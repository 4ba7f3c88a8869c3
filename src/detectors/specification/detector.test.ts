import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { specification } from './detector.ts';

const answered = (task: string, answer: string) =>
  `task ${JSON.stringify(task)}\nagent guide\nllm gpt-4o -> ${JSON.stringify(answer)}`;
const LONG = 'The harbour opens early and closes late, and in summer it stays open all night for the ferries. '.repeat(
  3,
);

const rows: DetectorRow[] = [
  {
    name: 'too_long: words',
    trace: answered('Describe the harbour in at most 20 words.', LONG),
    fires: [{ subtype: 'too_long', step: 0, agent: 'guide', severity: 'warning', text: 'at most 20 words' }],
  },
  {
    name: 'too_long: in German',
    trace: answered(
      'Beschreibe den Hafen, höchstens 10 Wörter.',
      'Der Hafen öffnet früh und schließt spät, und im Sommer bleibt er für die Fähren die ganze Nacht offen.',
    ),
    fires: [{ subtype: 'too_long' }],
  },
  {
    name: 'wrong_language',
    trace: answered(
      'When does the harbour open? Answer in German.',
      'The harbour opens at six in the morning and it is closed on the first Monday of the month.',
    ),
    fires: [{ subtype: 'wrong_language', severity: 'warning', text: 'english' }],
  },
  {
    name: 'forbidden_word',
    trace: answered('Advertise the ferry. Do not use the word "cheap".', 'Our ferry is fast, cheap and safe.'),
    fires: [{ subtype: 'forbidden_word', severity: 'warning' }],
  },
  {
    name: 'forbidden_tool',
    trace:
      'task "Find the fare. Do not use web_search."\nagent guide\ntool web_search {"q":"fare"} -> "12"\nllm gpt-4o -> "12"',
    fires: [{ subtype: 'forbidden_tool', step: 0, severity: 'warning', text: 'web_search' }],
  },
  {
    name: 'silent: within the limit',
    trace: answered('Describe the harbour in at most 100 words.', LONG),
    silent: true,
  },
  {
    name: 'silent: the requested language',
    trace: answered(
      'When? Answer in German.',
      'Der Hafen ist ab sechs Uhr für die Fähren und die Boote der Fischer offen.',
    ),
    silent: true,
  },
  {
    name: 'silent: a word within another',
    trace: answered('Do not use the word "cheap".', 'It is cheaper than the train.'),
    silent: true,
  },
  {
    name: 'silent: forbidden under a condition',
    trace:
      'task "Do not use web_search more than twice."\nagent guide\ntool web_search {"q":"fare"} -> "12"\nllm gpt-4o -> "12"',
    silent: true,
  },
  {
    name: 'silent: the limit is about the mail that was sent',
    trace: `task "Write a mail of under 5 words to Ann."\nagent guide\ntool send_mail {"text":"Ferry leaves at six"} -> "sent"\nllm gpt-4o -> ${JSON.stringify(LONG)}`,
    silent: true,
  },
  { name: 'not applicable without text', trace: 'span run', notApplicable: true },
];

testDetector(specification, rows, { readme: new URL('./README.md', import.meta.url) });
