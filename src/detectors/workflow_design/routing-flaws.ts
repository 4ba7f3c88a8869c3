import type { Step, Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { handoffs, isSameActor } from '../_readings/conduct/handoffs.ts';
import type { Flaw } from './flaw.ts';
import { executedNames, isEndName } from './graph-shape.ts';

/** Targets that mean "stop here" or "wait for a person". */
const STOP =
  /^(?:__end__|__interrupt__|end|finish|finished|done|stop|final|complete|exit|none|null|конец|готово|завершено|結束|结束|完成|完了|終了|終わり|끝|완료|종료)$/iu;
const PERSON =
  /human|user|approv|review|interrupt|человек|пользовател|оператор|użytkownik|człowiek|ユーザ|人間|承認|担当者|用户|人工|审核|审批|사용자|승인/iu;
const FALLBACK = /error|fail|fallback|recover|handler|escalat|rescue|catch/i;

/** Faults in the routes that the run took, or failed to take. */
export function findRoutingFlaws(trace: Trace): Flaw[] {
  return [...danglingRoutes(trace), ...worksAfterEnd(trace), ...unhandledErrors(trace)];
}

interface DanglingRoute {
  step: Step;
  target: string;
  /** Node or agent whose name the target misspells; null if there is none. */
  meant: string | null;
  /** False if nothing ran after it: the target may be an end word, a plan or another system. */
  hasContinued: boolean;
}

/**
 * Control was passed, by a route or by the state field for the next agent, to a name that no node, agent or step of the run
 * has. A tool named after its receiver may lead outside the run.
 */
function danglingRoutes(trace: Trace): Flaw[] {
  if (!isWhole(trace) || trace.status === 'error') return [];
  const executed = executedNames(trace);
  const names = [...executed, ...(trace.graph?.nodes.map((node) => node.name) ?? [])];
  const known = new Set(names);
  const isMissing = (target: string) =>
    !STOP.test(target.split(' ', 1)[0]!) && !PERSON.test(target) && !known.has(target);
  const routes = trace.steps
    .filter(({ kind }) => kind !== 'tool')
    .flatMap((step) =>
      step.goto
        .filter(isMissing)
        .slice(0, 1)
        .map((target) => ({ step, target })),
    );
  const stated = statedRoutes(trace, isMissing).filter(
    ({ target }) => !names.some((name) => isSameActor(name, target)),
  );
  return [...routes, ...stated].map(({ step, target }) =>
    danglingRoute(trace, {
      step,
      target,
      meant: names.find((name) => isMisspelt(target, name)) ?? null,
      hasContinued: trace.steps.some(
        ({ index, node, parent }) => index > step.index && node !== null && parent === step.parent,
      ),
    }),
  );
}

/** Only fields that named nodes of the run before: others contain a plan or a status. */
function statedRoutes(trace: Trace, isMissing: (target: string) => boolean): { step: Step; target: string }[] {
  const stated = handoffs(trace).filter(({ how }) => how === 'state');
  return stated
    .filter(({ to }) => isMissing(to))
    .filter(({ field, step }) =>
      stated.some((other) => other.field === field && other.step < step && !isMissing(other.to)),
    )
    .map(({ step, to }) => ({ step: trace.steps[step]!, target: to }));
}

const MIN_NAME_LENGTH = 5;

/** Whether a name is another one with one letter omitted, doubled or swapped. Numbers and endings distinguish names. */
function isMisspelt(written: string, name: string): boolean {
  if (Math.min(written.length, name.length) < MIN_NAME_LENGTH || written === name) return false;
  if (written.length === name.length) return isSwapped(written, name);
  const [longer, shorter] = written.length > name.length ? [written, name] : [name, written];
  if (longer.length !== shorter.length + 1) return false;
  let at = 0;
  while (at < shorter.length && longer[at] === shorter[at]) at += 1;
  return at < shorter.length && /\p{L}/u.test(longer[at]!) && longer.slice(at + 1) === shorter.slice(at);
}

function isSwapped(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2) && /\p{L}/u.test(a[at]!);
}

function danglingRoute(trace: Trace, { step, target, meant, hasContinued }: DanglingRoute): Flaw {
  const from = step.node ?? step.name;
  const place = trace.graph === null ? 'the run' : 'neither the workflow nor the run';
  const missing = `${place} has ${trace.graph === null ? 'no' : 'a'} node or agent of that name`;
  const rest =
    meant !== null
      ? ` \`${meant}\` has a similar name.`
      : hasContinued
        ? ' The run continued at another node.'
        : ' Nothing ran after it: the name may also be an end word or another system.';
  return {
    subtype: 'dangling_route',
    score: scoreOf(trace, meant, hasContinued),
    step: step.index,
    steps: [step.index],
    agent: step.agent,
    explanation: `${from} sent control to \`${target}\`, but ${missing}.${rest}`,
    suggestedAction:
      meant === null
        ? `Add the node ${target}, or restrict the routes of ${from} to nodes that exist.`
        : `Correct the route of ${from} from ${target} to ${meant}.`,
    evidence: [
      step.goto.length > 0
        ? { kind: 'route', spanId: step.spanId, path: 'goto', quote: null, value: step.goto }
        : { kind: 'route', spanId: step.spanId, path: 'state', quote: null, value: target },
    ],
    target: `routes of ${from}`,
    change: `goto: Literal[${[...executedNodes(trace)]
      .slice(0, 8)
      .map((name) => `"${name}"`)
      .join(', ')}]`,
    rationale: 'A closed list of routes makes a misspelt target an error where it is chosen.',
    key: `dangling ${from} ${target}`,
  };
}

/** A misspelt node is the most certain; an unknown last name is info. */
function scoreOf(trace: Trace, meant: string | null, hasContinued: boolean): number {
  if (meant !== null) return trace.graph === null ? 0.7 : 0.9;
  return hasContinued && trace.graph !== null ? 0.7 : 0.5;
}

function executedNodes(trace: Trace): Set<string> {
  return new Set(trace.steps.flatMap((step) => step.node ?? []));
}

/** A node ran although the router of its siblings had already ended the run. */
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
      explanation: `${end.node} ended the run at step ${end.index}, and ${work.node} still ran at step ${work.index}. Two parts of the workflow disagree about when it is over.`,
      suggestedAction: `Remove the edge that leads to ${work.node} after ${end.node} has chosen the end.`,
      evidence: [
        { kind: 'route', spanId: end.spanId, path: 'goto', quote: null, value: end.goto },
        { kind: 'route', spanId: work.spanId, path: null, quote: null, value: work.node },
      ],
      target: `edges of ${end.node}`,
      change: `no fixed edge next to the conditional one: ${end.node} alone decides between ${work.node} and END`,
      rationale: 'A fixed edge is followed whatever a conditional edge next to it chooses.',
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

/** A node failed and the run ended there, although the graph has an error route next to it. */
function unhandledErrors(trace: Trace): Flaw[] {
  if (trace.graph === null || trace.status !== 'error' || !isWhole(trace)) return [];
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
      explanation: `${name} failed and the run ended there, though the workflow has \`${fallback}\` for this case: the exception skipped the edge that leads to it.`,
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
      rationale: 'Edges are followed after a node returns; a node that throws never reaches them.',
      key: `unhandled ${name} ${fallback}`,
    },
  ];
}
