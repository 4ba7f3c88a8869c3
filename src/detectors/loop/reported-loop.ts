import type { ReportedLoop, Step, Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { counted } from '../_kit/text.ts';
import { loopGuard } from './fixes.ts';

interface Report {
  step: Step;
  loop: ReportedLoop;
}

/** Loops that the runtime's own monitor reported. Loops that the calls themselves show are not reported again. */
export function findReportedLoops(
  trace: Trace,
  found: readonly Pick<DetectionDraft, 'key'>[],
): DetectionDraft<'reported_loop'>[] {
  const reports = trace.steps.flatMap((step): Report[] =>
    step.reportedLoop ? [{ step, loop: step.reportedLoop }] : [],
  );
  const byTool = Map.groupBy(reports, ({ step, loop }) => `${step.agent} ${loop.tool}`);
  const reported = new Set(found.flatMap(({ key }) => key.split(' ')));
  return [...byTool.values()].filter(([first]) => !reported.has(first!.loop.tool)).map((group) => draft(trace, group));
}

function draft(trace: Trace, reports: readonly Report[]): DetectionDraft<'reported_loop'> {
  const last = reports.findLast(({ loop }) => loop.isStopped) ?? reports.at(-1)!;
  const { step, loop } = last;
  const what = loop.pairedTool === null ? loop.tool : `${loop.tool} → ${loop.pairedTool}`;
  const often = loop.times === null ? 'repeatedly' : counted(loop.times, 'time');
  const ended = loop.isStopped ? ' and stopped it there' : ' and did not stop it';
  return {
    subtype: 'reported_loop',
    score: loop.isStopped ? 0.92 : 0.75,
    step: step.index,
    steps: [step.index, ...reports.map((one) => one.step.index).filter((index) => index !== step.index)],
    agent: step.agent,
    explanation: `The runtime counted ${what} ${often} without progress${loop.rule === null ? '' : ` (its rule ${loop.rule})`} at step ${step.index}${ended}. The trace contains neither the arguments nor the results.`,
    suggestedAction: `Find out why ${step.agent ?? 'the agent'} calls ${what} again, and end the run when its result does not change.`,
    evidence: [{ kind: 'metric', spanId: step.spanId, path: null, quote: null, value: { ...loop } }],
    fixes: [loopGuard({ trace, agent: step.agent, what, times: loop.times ?? reports.length })],
    key: loop.tool,
  };
}
