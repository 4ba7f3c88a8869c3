import type { Trace } from '../../core/trace.ts';
import { defineDetector } from '../_kit/define.ts';
import { cut } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { agentTurns, type ConversationTurn } from '../_readings/conduct/conversation.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { decompositionManifest } from './manifest.ts';

interface Abandoned {
  plan: ConversationTurn;
  steps: string[];
  skipped: { line: string; name: string }[];
}

export const decomposition = defineDetector({
  ...decompositionManifest,
  detect(trace, _options, report) {
    const found = abandonedPlan(trace);
    if (found === null) return;
    const { plan, steps, skipped } = found;
    const name = plan.agent ?? trace.steps[plan.step]!.name;
    const names = [...new Set(skipped.map((each) => each.name))];
    report({
      subtype: 'plan_not_followed',
      score: 0.62,
      step: plan.step,
      steps: [plan.step],
      agent: plan.agent,
      explanation: `${name} laid out a plan of ${steps.length} steps at step ${plan.step}; ${skipped.length} of them name ${names.join(', ')}, which the run never used. The first is "${cut(skipped[0]!.line, 110)}"`,
      suggestedAction: `Have ${name} go through its plan before it ends, and say which steps it dropped and why.`,
      evidence: skipped.slice(0, 3).map(({ line, name: value }) => ({
        kind: 'text',
        spanId: trace.steps[plan.step]!.spanId,
        path: 'output',
        quote: cut(line, 250),
        value,
      })),
      fixes: [
        checkFix('workflow_change', {
          title: 'Keep the plan as a list with a state for each step',
          target: `planning of ${name}`,
          description: `Let ${name} keep its plan in the state (open, done, dropped with a reason) and compare it before the answer.`,
          after: 'on stop: if steps of the plan are open, continue with the first of them',
          why: 'A plan that is only text is forgotten as the context grows.',
        }),
      ],
      key: name,
    });
  },
});

const PLAN_LINE = /^\s{0,6}(?:\d{1,2}[.)]|[-*] ?\[ ?\]|step \d{1,2}[:.])\s{1,3}(.{8,400})$/i;
const MIN_STEPS = 3;
const MAX_PLANS = 20;
/** Minimum number of plan steps that name an unused agent or tool, and their minimum share of the steps that name any. */
const MIN_SKIPPED = 2;
const MIN_SKIPPED_SHARE = 0.6;

/** A numbered plan whose steps name tools or agents of the run by their exact names, most of which never act. */
function abandonedPlan(trace: Trace): Abandoned | null {
  if (trace.status === 'error') return null;
  const used = new Set([
    ...toolUses(trace).map(({ name }) => name),
    ...trace.steps.flatMap(({ agent, node }) => [agent, node]),
  ]);
  const declared = [
    ...trace.toolDefinitions.map(({ name }) => name),
    ...(trace.graph?.nodes.map(({ name }) => name) ?? []),
  ];
  const names = [...new Set([...declared, ...used])].filter(
    (name): name is string => name !== null && /[_A-Z-]/.test(name.slice(1)),
  );
  if (declared.every((name) => used.has(name))) return null;
  const plans = agentTurns(trace).map((plan) => ({ plan, steps: planSteps(plan.text) }));
  for (const { plan, steps } of plans.filter((each) => each.steps.length >= MIN_STEPS).slice(0, MAX_PLANS)) {
    const naming = steps.flatMap((line) => names.filter((name) => hasName(line, name)).map((name) => ({ line, name })));
    const skipped = naming.filter(({ name }) => !used.has(name));
    if (skipped.length >= MIN_SKIPPED && skipped.length >= MIN_SKIPPED_SHARE * naming.length)
      return { plan, steps, skipped };
  }
  return null;
}

function planSteps(text: string): string[] {
  return text
    .slice(0, 8000)
    .split('\n')
    .flatMap((line) => PLAN_LINE.exec(line)?.[1]?.trim() ?? []);
}

function hasName(line: string, name: string): boolean {
  const at = line.indexOf(name);
  return at !== -1 && !/\w/.test(line[at - 1] ?? '') && !/\w/.test(line[at + name.length] ?? '');
}
