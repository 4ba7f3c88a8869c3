import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { codeIn } from '../calls/fenced-code.ts';
import { agentTurns, conversation } from './conversation.ts';
import { codeOf, codeRuns } from './executions.ts';
import { functionBodies } from './function-bodies.ts';

/** A function that the user requested and that no code of the run implements. */
export interface UnwrittenFunction {
  name: string;
  /** Agent of the first version. */
  agent: string | null;
  /** Steps with a version, in order; at least one. */
  steps: readonly number[];
  /** What the first version contains in place of a body; empty if nothing. */
  placeholder: string;
}

interface CodeVersion {
  step: number;
  agent: string | null;
  code: string;
  isExecuted: boolean;
}

/**
 * Functions that the code of a run defines without a statement in the body, and never with one. Either a message of the user
 * gives the function without a body, or it names the function and the run executed the code. Omitted are code in files, because
 * an edit can change a body without its head, and code with tests or other functions, which may be what was requested.
 * Computed once per trace.
 */
export const unwrittenFunctions = memoizeByRef((trace: Trace): readonly UnwrittenFunction[] => {
  const bodies = [...answeredCode(trace), ...executedCode(trace)].flatMap((version) => {
    const found = functionBodies(version.code).filter(({ isCut }) => !isCut);
    const isOther = found.some(({ isStub }) => !isStub) || ASSERTION.test(version.code);
    return found.map((body) => ({ ...version, ...body, isOther }));
  });
  const written = new Set(bodies.filter(({ isStub }) => !isStub).map(({ name }) => name));
  const names = new Set(bodies.map(({ name }) => name).filter((name) => !written.has(name)));
  return [...names].flatMap((name): UnwrittenFunction[] => {
    const versions = bodies.filter((body) => body.name === name).sort((a, b) => a.step - b.step);
    const first = versions[0]!;
    if (versions.some(({ isOther }) => isOther)) return [];
    const isExecuted = versions.some((version) => version.isExecuted);
    if (!isRequested(trace, name, first.step, isExecuted)) return [];
    const steps = [...new Set(versions.map(({ step }) => step))];
    return [{ name, agent: first.agent, steps, placeholder: first.placeholder }];
  });
});

const ASSERTION = /^\s{0,40}(?:assert\b|expect\()/m;
const WORD = /\w{1,80}/g;

function isRequested(trace: Trace, name: string, before: number, isExecuted: boolean): boolean {
  const requests = conversation(trace).filter(({ by, step }) => by === 'user' && step <= before);
  if (isExecuted) return requests.some(({ text }) => text.match(WORD)?.includes(name));
  return requests.some(({ text }) => functionBodies(codeIn(text)).some((given) => given.name === name && given.isStub));
}

function answeredCode(trace: Trace): CodeVersion[] {
  return agentTurns(trace)
    .map(({ step, agent, text }) => ({ step, agent, code: codeIn(text), isExecuted: false }))
    .filter(({ code }) => code !== '');
}

function executedCode(trace: Trace): CodeVersion[] {
  return codeRuns(trace).map((use) => ({
    step: use.requestedAt,
    agent: use.agent,
    code: codeOf(use),
    isExecuted: true,
  }));
}
