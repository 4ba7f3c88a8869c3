import { TraceBuilder } from '../../../test/support/trace-builder.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { roleUsurpation } from './detector.ts';

function messageOf(rule: string, tool: string) {
  const inputMessages = [{ role: 'system', name: null, content: rule, toolCalls: [], toolCallId: null }];
  return new TraceBuilder()
    .agent('reader')
    .llm('I look.', { inputMessages })
    .tool(tool, { id: 7 }, 'ok')
    .llm('Done.')
    .build();
}

const rows: DetectorRow[] = [
  {
    name: 'foreign_tool: forbidden by its own instructions',
    trace: messageOf('You read records. You must never use delete_record.', 'delete_record'),
    fires: [{ subtype: 'foreign_tool', step: 1, agent: 'reader', severity: 'warning', text: 'delete_record' }],
  },
  {
    name: 'foreign_tool: forbidden by a system message that is a step of its own, as in a chat',
    trace:
      'system "You read records. You must never use delete_record."\nuser "Read record 7."\nagent reader\nllm gpt-4o -> "I look."\ntool delete_record {"id":7} -> "ok"\nllm gpt-4o -> "Done."',
    fires: [{ subtype: 'foreign_tool', step: 3, agent: 'reader', severity: 'warning', text: 'delete_record' }],
  },
  {
    name: 'speaks_for_others: asks, answers for the user and continues',
    trace:
      'agent clerk\nllm gpt-4o -> "Shall I cancel it?\\n\\nUser: Yes, cancel it please.\\n\\nAssistant: It is cancelled."',
    fires: [{ subtype: 'speaks_for_others', step: 0, agent: 'clerk', severity: 'warning' }],
  },
  { name: 'silent: another tool', trace: messageOf('You must never use delete_record.', 'get_record'), silent: true },
  {
    name: 'silent: forbidden under a condition',
    trace: messageOf('You must never use delete_record unless the user agrees.', 'delete_record'),
    silent: true,
  },
  {
    name: 'silent: a list with labels',
    trace: 'agent clerk\nllm gpt-4o -> "The fields are:\\n\\nUser: the name of the account\\nRole: what it may do"',
    silent: true,
  },
  { name: 'not applicable without text', trace: 'span run', notApplicable: true },
];

testDetector(roleUsurpation, rows, { readme: new URL('./README.md', import.meta.url) });
