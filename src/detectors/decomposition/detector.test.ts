import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { decomposition } from './detector.ts';

const OFFERS = ['search_flights', 'book_hotel', 'send_mail']
  .map((name) => `offers ${name} {"type":"object"}`)
  .join('\n');
const PLAN =
  'llm gpt-4o -> "1. Call search_flights for Friday\\n2. Call book_hotel near the port\\n3. Call send_mail to Ann"';

const rows: DetectorRow[] = [
  {
    name: 'plan_not_followed: one step of three',
    trace: `${OFFERS}\nagent planner\n${PLAN}\ntool search_flights {"day":"friday"} -> "LX 12"\nllm gpt-4o -> "All arranged."`,
    fires: [{ subtype: 'plan_not_followed', step: 0, agent: 'planner', severity: 'warning', text: 'book_hotel' }],
  },
  {
    name: 'silent: followed',
    trace: `${OFFERS}\nagent planner\n${PLAN}\ntool search_flights {} -> "LX 12"\ntool book_hotel {} -> "ok"\ntool send_mail {} -> "ok"\nllm gpt-4o -> "Done."`,
    silent: true,
  },
  {
    name: 'silent: one step was not needed',
    trace: `${OFFERS}\nagent planner\n${PLAN}\ntool search_flights {} -> "LX 12"\ntool book_hotel {} -> "ok"\nllm gpt-4o -> "Done."`,
    silent: true,
  },
  {
    name: 'silent: a list that is not a plan of this run',
    trace: `${OFFERS}\nagent planner\nllm gpt-4o -> "1. Kiel is a port\\n2. Genoa is a port\\n3. Bergen is a port"`,
    silent: true,
  },
  { name: 'not applicable: still running', trace: `running\nagent planner\n${PLAN}`, notApplicable: true },
];

testDetector(decomposition, rows, { readme: new URL('./README.md', import.meta.url) });
