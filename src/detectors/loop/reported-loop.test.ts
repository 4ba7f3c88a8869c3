import { TraceBuilder } from '../../../test/support/trace-builder.ts';
import type { ReportedLoop } from '../../core/trace.ts';
import { type DetectorRow, testDetector } from '../_testing/tester.ts';
import { loop } from './detector.ts';

function reported(facts: Partial<ReportedLoop> | null, calls: string[] = ['a', 'b']) {
  const reportedLoop = {
    tool: 'exec',
    pairedTool: null,
    times: 10,
    rule: 'generic_repeat',
    isStopped: false,
    ...facts,
  };
  const builder = new TraceBuilder().framework('openclaw').agent('main');
  for (const command of calls) builder.tool('exec', { command }, `out of ${command}`);
  if (facts !== null) builder.step({ kind: 'other', name: 'openclaw.tool.loop', facts: { reportedLoop } });
  return builder.llm('Done.').build();
}

const rows: DetectorRow[] = [
  {
    name: 'reported_loop: the runtime warned',
    trace: reported({}),
    fires: [{ subtype: 'reported_loop', step: 2, agent: 'main', severity: 'warning', text: 'exec 10 times' }],
  },
  {
    name: 'reported_loop: the runtime stopped it',
    trace: reported({ isStopped: true, pairedTool: 'read', times: null }),
    fires: [{ subtype: 'reported_loop', step: 2, severity: 'critical', text: 'exec → read repeatedly' }],
  },
  {
    name: 'reported_loop: not reported again if the calls show it',
    trace: reported({}, ['a', 'a', 'a', 'a', 'a']),
    fires: [{ subtype: 'exact_repetition', agent: 'main' }],
  },
  { name: 'silent: no report', trace: reported(null), silent: true },
];

testDetector(loop, rows);
