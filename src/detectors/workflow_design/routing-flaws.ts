import type { Step, Trace } from '../../core/trace.ts';
import { handoffs, isSameActor } from '../_conduct/handoffs.ts';
import type { Flaw } from './flaw.ts';
import { executedNames, isEndName } from './graph-shape.ts';

/** Targets that mean "stop here" or "wait for a person". */
const STOP = /^(?:__end__|__interrupt__|end|finish|finished|done|stop|final|complete|exit|none|null)$/i;
const PERSON = /human|user|approv|review|interrupt/i;
const FALLBACK = /error|fail|fallback|recover|handler|escalat|rescue|catch/i;

/** What went wrong with the ways the run took, or could not take. */
export function findRoutingFlaws(trace: Trace): Flaw[] {
  return [...danglingRoutes(trace), ...worksAfterEnd(trace), ...unhandledErrors(trace)];
}

/**
 * Control was sent, by a route or by the field of the state that says who is next, to a name that no node, agent or step of
 * the run ever answered to. A tool named after its receiver may lead out of the run.
 */
function danglingRoutes(trace: Trace): Flaw[] {
  if (!trace.isSettled || trace.status === 'error') return [];
  const executed = executedNames(trace);
  const known = new Set(trace.graph?.nodes.map((node) => node.name));
  const isMissing = (target: string) =>
    !STOP.test(target) && !PERSON.test(target) && !executed.has(target) && !known.has(target);
  const routes = trace.steps
    .filter(({ kind }) => kind !== 'tool')
    .flatMap((step) =>
      step.goto
        .filter(isMissing)
        .slice(0, 1)
        .map((target) => danglingRoute(step, target, trace)),
    );
  const stated = handoffs(trace)
    .filter(({ how, to }) => how === 'state' && isMissing(to) && ![...executed].some((name) => isSameActor(name, to)))
    .map(({ step, to }) => danglingRoute(trace.steps[step]!, to, trace));
  return [...routes, ...stated];
}

function danglingRoute(step: Step, target: string, trace: Trace): Flaw {
  const goesOn = trace.steps.some((other) => other.index > step.index && other.parent === step.parent);
  const why = trace.graph === null ? 'nothing of that name ran afterwards' : 'the workflow has no node of that name';
  return {
    subtype: 'dangling_route',
    score: trace.graph === null ? (goesOn ? 0.5 : 0.62) : 0.9,
    step: step.index,
    steps: [step.index],
    agent: step.agent,
    explanation: `${step.node ?? step.name} sent control to \`${target}\`, but ${why}, so the work it handed on was not done.`,
    suggestedAction: `Add the node ${target}, or restrict the routes of ${step.node ?? step.name} to nodes that exist.`,
    evidence: [
      step.goto.length > 0
        ? { kind: 'route', spanId: step.spanId, path: 'goto', quote: null, value: step.goto }
        : { kind: 'route', spanId: step.spanId, path: 'state', quote: null, value: target },
    ],
    target: `routes of ${step.node ?? step.name}`,
    change: `goto: Literal[${[...executedNodes(trace)]
      .slice(0, 8)
      .map((name) => `"${name}"`)
      .join(', ')}]`,
    rationale: 'A closed list of routes makes a misspelt target an error where it is chosen.',
    key: `dangling ${step.node ?? step.name} ${target}`,
  };
}

function executedNodes(trace: Trace): Set<string> {
  return new Set(trace.steps.flatMap((step) => step.node ?? []));
}

/** A node ran although its siblings' router had already ended the run. */
function worksAfterEnd(trace: Trace): Flaw[] {
  const end = trace.steps.find((step) => step.node !== null && step.goto.length > 0 && step.goto.every(isEndName));
  if (end === undefined || end.endMs === null || hasParallel(end, trace)) return [];
  const later = trace.steps.slice(end.index + 1);
  const work = later.find(
    (step) => step.parent === end.parent && step.node !== null && (step.startMs ?? 0) >= end.endMs!,
  );
  const isNewTurn = later.some(
    (step) => step.index < (work?.index ?? 0) && (step.kind === 'message' || step.parent === null),
  );
  if (work === undefined || work.parent === null || isNewTurn) return [];
  return [
    {
      subtype: 'after_end',
      score: 0.65,
      step: work.index,
      steps: [work.index, end.index],
      agent: work.agent,
      explanation: `${end.node} ended the run at step ${end.index}, and ${work.node} ran all the same at step ${work.index}. Two parts of the workflow disagree about when it is over.`,
      suggestedAction: `Remove the edge that leads to ${work.node} after ${end.node} has chosen the end.`,
      evidence: [
        { kind: 'route', spanId: end.spanId, path: 'goto', quote: null, value: end.goto },
        { kind: 'route', spanId: work.spanId, path: null, quote: null, value: work.node },
      ],
      target: `edges of ${end.node}`,
      change: `no fixed edge beside the conditional one: ${end.node} alone decides between ${work.node} and END`,
      rationale: 'A fixed edge is followed whatever a conditional edge beside it chooses.',
      key: `after end ${end.node} ${work.node}`,
    },
  ];
}

function hasParallel(step: Step, trace: Trace): boolean {
  return trace.steps.some(
    (other) =>
      other.index !== step.index &&
      other.parent === step.parent &&
      (other.startMs ?? 0) < (step.endMs ?? 0) &&
      (other.endMs ?? 0) > (step.startMs ?? 0),
  );
}

/** A node failed and the run ended there, though the graph holds a way for failures beside it. */
function unhandledErrors(trace: Trace): Flaw[] {
  if (trace.graph === null || trace.status !== 'error' || !trace.isSettled) return [];
  const executed = executedNames(trace);
  const failed = trace.steps.findLast((step) => step.node !== null && step.error !== null);
  if (
    failed === undefined ||
    trace.steps.some((step) => step.index > failed.index && step.node !== null && step.node !== failed.node)
  )
    return [];
  const name = failed.node!;
  const fallback = trace.graph.edges.find(
    ({ from, to }) => from === name && FALLBACK.test(to) && !executed.has(to),
  )?.to;
  if (fallback === undefined) return [];
  return [
    {
      subtype: 'unhandled_error',
      score: 0.65,
      step: failed.index,
      steps: [failed.index],
      agent: failed.agent,
      explanation: `${name} failed and the run ended there, though the workflow has \`${fallback}\` for this case: the failure was thrown past the edge that leads to it.`,
      suggestedAction: `Catch the failure in ${name} and route it to ${fallback}.`,
      evidence: [
        {
          kind: 'error',
          spanId: failed.spanId,
          path: 'error.message',
          quote: failed.error!.message || failed.error!.type,
          value: null,
        },
      ],
      target: `node ${name}`,
      change: `on failure: Command(goto="${fallback}", update={"error": str(error)})`,
      rationale: 'Edges are followed after a node returns; a node that throws never gets to them.',
      key: `unhandled ${name} ${fallback}`,
    },
  ];
}
