import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { withholding } from './detector.ts';

const FOUND = 'agent lookup\ntool get_customer {"name":"Ann"} -> {"customer_id":"C-48213","city":"Kiel"}';

const rows: DetectorRow[] = [
  {
    name: 'known_fact_asked_for',
    trace: `${FOUND}\nllm gpt-4o -> "I found the customer."\nagent billing\nllm gpt-4o -> "Please provide the customer id."`,
    fires: [{ subtype: 'known_fact_asked_for', step: 0, agent: 'lookup', severity: 'warning', text: 'customer_id' }],
  },
  {
    name: 'silent: it was passed on',
    trace: `${FOUND}\nllm gpt-4o -> "It is C-48213."\nagent billing\nllm gpt-4o -> "Please provide the customer id once more."`,
    silent: true,
  },
  {
    name: 'silent: something else is asked for',
    trace: `${FOUND}\nagent billing\nllm gpt-4o -> "Please provide the invoice number."`,
    silent: true,
  },
  {
    name: 'silent: one agent asks for confirmation',
    trace: `${FOUND}\nllm gpt-4o -> "Please provide the customer id."`,
    silent: true,
  },
  { name: 'not applicable without calls', trace: 'agent a\nllm gpt-4o -> "Hello."', notApplicable: true },
];

testDetector(withholding, rows, { readme: new URL('./README.md', import.meta.url) });
