import type { Span } from '../../core/span.ts';
import type { DemoRun } from './demo-run.ts';
import { longResearch } from './long-research.ts';
import { obeyedPage } from './obeyed-page.ts';
import { orderWorkflow } from './order-workflow.ts';
import { plannerCritic } from './planner-critic.ts';
import { refusedTool } from './refused-tool.ts';
import { createRunRecorder } from './run-recorder.ts';
import { runawaySearch } from './runaway-search.ts';
import { supportTriage } from './support-triage.ts';

/** The healthy run first. */
export const DEMO_RUNS: readonly DemoRun[] = [
  supportTriage,
  plannerCritic,
  refusedTool,
  orderWorkflow,
  longResearch,
  obeyedPage,
  runawaySearch,
];

const HOUR_MS = 3_600_000;
const BETWEEN_MS = 5 * 60_000;

/**
 * The demo's runs as spans, all within the hour before the one that contains `nowMs`. Ids depend on the UTC day and times on
 * the hour: a second demo on the same day replaces the first.
 */
export function demoSpans(nowMs: number): Span[][] {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const firstMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS - HOUR_MS;
  return DEMO_RUNS.map((demo, index) => {
    const { name, service, scope } = demo;
    const run = createRunRecorder({
      seed: `misstep demo ${day} ${name}`,
      service,
      scope,
      startMs: firstMs + index * BETWEEN_MS,
    });
    demo.record(run);
    return run.spans();
  });
}
