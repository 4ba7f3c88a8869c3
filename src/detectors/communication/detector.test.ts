import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { communication } from './detector.ts';

const rows: DetectorRow[] = [
  {
    name: 'missing_recipient: an agent that does not exist',
    trace: 'agent lead\nspan plan goto editor\nagent writer\nllm gpt-4o -> "text"',
    fires: [{ subtype: 'missing_recipient', step: 0, agent: 'lead', severity: 'warning', text: 'editor' }],
  },
  {
    name: 'silent: a node that does not exist is a flaw of the workflow',
    trace: 'graph router -> writer\nnode router goto editor\nnode writer -> "text"',
    silent: true,
  },
  {
    name: 'missing_recipient: a message without a known recipient',
    trace: `
agent a
tool send_message {"to":"b","text":"find it"} -> "queued"
agent b
llm gpt-4o -> "I look."
tool send_message {"to":"archivist","text":"find it"} -> "queued"
llm gpt-4o -> "Done."`,
    fires: [{ subtype: 'missing_recipient', step: 2, agent: 'b', text: 'sent a message to archivist' }],
  },
  {
    name: 'silent: a handoff to a person, which succeeded',
    trace: `
agent clerk
user "I want to speak to somebody."
tool transfer_to_human_agents {} -> "Transfer successful"
agent user
llm gpt-4o -> "Thanks."`,
    silent: true,
  },
  {
    name: 'silent: a handoff to an agent that the trace does not contain',
    trace: 'agent a\ntool transfer_to_second_level {} -> "Transferred."\nagent b\nllm gpt-4o -> "Bye."',
    silent: true,
  },
  {
    name: 'silent: a tool that writes to people',
    trace: 'agent a\ntool send_message {"to":"ann","text":"hi"} -> "sent"\nagent b\nllm gpt-4o -> "Done."',
    silent: true,
  },
  {
    name: 'unanswered_question',
    trace:
      'agent critic\nllm gpt-4o -> "Ready."\nagent planner\nllm gpt-4o -> "@critic Is the plan safe?"\nllm gpt-4o -> "We go ahead."',
    fires: [{ subtype: 'unanswered_question', step: 1, agent: 'planner', severity: 'warning', text: 'critic' }],
  },
  {
    name: 'silent: answered',
    trace: 'agent planner\nllm gpt-4o -> "@critic Is the plan safe?"\nagent critic\nllm gpt-4o -> "It is."',
    silent: true,
  },
  {
    name: 'silent: the end of the graph is a valid target',
    trace: 'graph router -> writer\nnode writer -> "text"\nnode router goto __end__',
    silent: true,
  },
  {
    name: 'silent: a mail address is not an agent',
    trace: 'agent a\ntool send_message {"to":"ann@example.org","text":"hi"} -> "sent"\nagent b\nllm gpt-4o -> "Done."',
    silent: true,
  },
  {
    name: 'not applicable: still running',
    trace: 'running\ngraph router -> writer\nnode router goto editor',
    notApplicable: true,
  },
];

testDetector(communication, rows, { readme: new URL('./README.md', import.meta.url) });
