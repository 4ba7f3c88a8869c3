import { PLACEHOLDER_ERROR } from '../../../core/decoder-error.ts';
import { canonicalJson, isJsonObject, type Json } from '../../../core/json.ts';
import type { CallRefusal, Message, Step, ToolCall, ToolOutcome, Trace } from '../../../core/trace.ts';
import { enclosingSteps } from '../../_kit/enclosing-steps.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { isVolatileName, withoutVolatile } from '../../_kit/normalise.ts';
import { textKey } from '../../_kit/text.ts';
import { isReadOnlyCommand } from '../shell/shell.ts';
import { callAuthors } from './call-authors.ts';
import { type FailureText, failureInResult } from './failure-text.ts';
import { listedRecords } from './listed-records.ts';
import { commandOf, readArguments } from './tool-roles.ts';
import { writtenCalls } from './written-calls.ts';

/** One executed tool call, from a span of its own or from a model's messages. */
export interface ToolUse {
  /** Step that executed the call, or the requesting model step if the call has no span. */
  step: number;
  /** Step of the answer that contains the call or the code, if another agent runs it (`call-authors.ts`); else `step`. */
  requestedAt: number;
  /** Author of the call, if another agent runs it; else the agent of the step. */
  agent: string | null;
  /** Identity of the caller, for comparing calls: two subagents of a coding session may have the same name. */
  actor: string;
  name: string;
  arguments: Json;
  /** Canonical text without volatile parts; equal calls have equal texts. */
  argumentsText: string;
  /** False if the sender did not record arguments; equality of calls is then unknown. */
  hasArguments: boolean;
  /** Unmodified result; empty if unknown. */
  resultText: string;
  hasResult: boolean;
  /**
   * Hash of the result without times, durations, addresses and other volatile parts; computed on first access. A result with
   * unrecorded content equals no other one.
   */
  readonly resultHash: string;
  isError: boolean;
  /** Failure of the call; null if it succeeded. A refused call has a failure because it did not run. */
  failure: FailureText | null;
  /**
   * Where the failure is recorded: `span` for the status, error flag or exit code of the call, `result` for an error in its
   * result.
   */
  failedBy: 'span' | 'result' | null;
  /** Set if the call was not allowed to run. The tool itself is not at fault. */
  refusal: CallRefusal | null;
  /** Outcome reported by the program; null if it reported none. */
  outcome: ToolOutcome | null;
  /** Calls with the same id run in parallel; null if unknown. */
  messageId: string | null;
  /** The command of a shell tool, or the code that a chat ran. */
  command: string | null;
  /** False if the name or the command shows that the call only reads. */
  changesState: boolean;
  /** The recorded call, if this is a copy of it with the arguments of a similar call. */
  original?: ToolUse;
}

/** The call as it is in `toolUses` and `earlierCalls`, whose elements are compared by identity. */
export function recordedCall(use: ToolUse): ToolUse {
  return use.original ?? use;
}

/**
 * Executed tool calls in order. Spans are used if the trace has any; else the calls in model answers, with their results
 * from the following messages; else calls that the model wrote as text. A result that describes a failed thing which an
 * earlier result listed as failed is no failure of the call. Computed once per trace.
 */
export const toolUses = memoizeByRef((trace: Trace): readonly ToolUse[] => {
  const uses = recordedUses(trace);
  for (const use of listedRecords(uses)) Object.assign(use, { failure: null, failedBy: null, isError: false });
  return uses;
});

function recordedUses(trace: Trace): readonly ToolUse[] {
  const uses = usesFromSpans(trace);
  if (uses.length > 0) return uses;
  const requested = usesFromMessages(trace);
  return requested.length > 0 ? requested : usesFromTexts(trace);
}

/**
 * Calls in the answers of models for which the messages contain no result, although they contain those of other calls: the
 * program stopped before it ran them, or before it called the model again.
 */
export const unansweredCalls = memoizeByRef((trace: Trace): ReadonlySet<ToolUse> => {
  const requested = toolUses(trace).filter(({ step }) => trace.steps[step]!.kind === 'llm');
  const isUnanswered = ({ hasResult, failure }: ToolUse) => !hasResult && failure === null;
  const areResultsRecorded = [...earlierCalls(trace), ...requested].some((use) => !isUnanswered(use));
  return new Set(areResultsRecorded ? requested.filter(isUnanswered) : []);
});

function usesFromTexts(trace: Trace): ToolUse[] {
  return writtenCalls(trace).map(({ name, arguments: args, agent, requestedAt, step, result }) => {
    const call = { id: null, name, arguments: args, result };
    return toolUse({ step, requestedAt, agent }, call, null, { command: commandOf(trace, name, args) });
  });
}

function usesFromSpans(trace: Trace): ToolUse[] {
  const authors = callAuthors(trace);
  return trace.steps.filter(isToolSpan).map((step) => {
    const call = step.tool ?? { id: null, name: step.name, arguments: step.input, result: step.output };
    const args = isBlank(call.arguments) ? step.input : call.arguments;
    const agentSpan = trace.codingSession === undefined ? null : agentSpanOf(trace, step.index);
    const whole = { ...call, arguments: args, result: call.result ?? step.output };
    const { agent, step: requestedAt } = authors.get(step.index) ?? { agent: step.agent, step: step.index };
    const command = commandOf(trace, call.name, args);
    return toolUse({ step: step.index, requestedAt, agent }, whole, step, { agentSpan, command });
  });
}

/** The nearest enclosing agent span of a step; null if no agent span encloses it. */
export function agentSpanOf(trace: Trace, step: number): number | null {
  for (const { index, kind } of enclosingSteps(trace, step)) if (kind === 'agent') return index;
  return null;
}

function isToolSpan(step: Step): boolean {
  return step.kind === 'tool' || (step.tool !== null && step.kind !== 'llm');
}

/** Failure of the span. The error flag and exit code of the program take precedence. */
function failureOf(step: Step): FailureText | null {
  const reported = step.toolOutcome === undefined ? null : hasFailed(step.toolOutcome);
  if (step.refusal !== undefined)
    return { code: step.error?.type || 'refused', message: step.error?.message || step.output || REFUSED };
  if (reported === false) return null;
  if (reported === true && step.error === null) return { code: '', message: step.output };
  if (step.error !== null) return { code: step.error.type, message: step.error.message || step.error.type };
  return step.status === 'error' ? { code: '', message: step.output } : null;
}

const REFUSED = PLACEHOLDER_ERROR.refused;

/** Whether a call failed by its error flag or exit code; null if the program reports neither. */
export function hasFailed({ isError, exitCode }: ToolOutcome): boolean | null {
  if (isError === true) return true;
  return exitCode === null ? isError : exitCode !== 0;
}

interface RequestedCall {
  step: Step;
  call: ToolCall;
  result: Json;
}

/**
 * Every model call repeats the message history: an answer counts once, and its result is the first one that follows. The
 * answer of an agent span repeats those of its model calls, so it counts only if no model call records a call.
 */
function usesFromMessages(trace: Trace): ToolUse[] {
  const requests: RequestedCall[] = [];
  let open: RequestedCall[] = [];
  const modelSteps = trace.steps.filter(({ kind }) => kind === 'llm');
  const steps = modelSteps.some(requestsCall) ? modelSteps : trace.steps;
  for (const step of steps) {
    if (open.length > 0 && step.inputMessages.length > 0) open = stillOpen(open, step.inputMessages, step.agent);
    for (const call of step.outputMessages.flatMap((message) => message.toolCalls)) {
      const entry = { step, call, result: call.result };
      requests.push(entry);
      if (isBlank(call.result)) open = [...open.slice(-OPEN_CALLS_LIMIT), entry];
    }
  }
  const isInputOnly = requests.length === 0 && steps.every(({ output }) => output === '');
  return (isInputOnly ? callsOfLongestHistory(trace) : requests).map((requested) => requestedUse(trace, requested));
}

function requestedUse(trace: Trace, { step, call, result }: RequestedCall): ToolUse {
  return toolUse({ step: step.index, requestedAt: step.index, agent: step.agent }, { ...call, result }, null, {
    command: commandOf(trace, call.name, call.arguments),
  });
}

/**
 * Calls that the run made before its first recorded model call: those in the messages that this call received after the
 * last message of the user. If every model call is a trace of its own, these are the calls of the run so far. They are not
 * in `toolUses`: they come before the answer of their step. Empty if the trace has spans of tool calls.
 */
export const earlierCalls = memoizeByRef((trace: Trace): readonly ToolUse[] => {
  const first = trace.steps.find(({ kind, inputMessages }) => kind === 'llm' && inputMessages.length > 0);
  if (first === undefined || trace.steps.some(isToolSpan)) return [];
  const known = toolUses(trace);
  if (known.some(({ step }) => step === first.index && !requestsCall(first))) return [];
  const messages = first.inputMessages.slice(first.inputMessages.findLastIndex(({ role }) => role === 'user') + 1);
  return callsIn(first, messages).map((requested) => requestedUse(trace, requested));
});

function requestsCall({ outputMessages }: Step): boolean {
  return outputMessages.some((message) => message.toolCalls.length > 0);
}

/**
 * Largest number of calls that wait for a result. Older calls are dropped, so that a sender without results does not cause
 * quadratic time.
 */
const OPEN_CALLS_LIMIT = 64;

/**
 * Assigns the results in `messages` to calls and returns the calls that are still without a result. Results without an id
 * belong to the calls of the agent that receives them.
 */
function stillOpen(
  open: readonly RequestedCall[],
  messages: readonly Message[],
  agent: string | null,
): RequestedCall[] {
  const answers = messages.filter((message) => message.role === 'tool' || message.role === 'function');
  const byId = new Map(answers.map((message) => [message.toolCallId, message.content]));
  const isOfAgent = ({ step, call }: RequestedCall) => call.id === null && step.agent === agent;
  const own = open.filter(isOfAgent).length;
  const withoutId = own === 0 ? [] : answers.filter((message) => message.toolCallId === null).slice(-own);
  return open.filter((entry) => {
    const ofCall = entry.call.id === null ? undefined : byId.get(entry.call.id);
    const content = isOfAgent(entry) ? withoutId.shift()?.content : ofCall;
    if (content !== undefined) entry.result = content;
    return content === undefined;
  });
}

/** Calls of the longest recorded conversation, for senders that record only model inputs. */
function callsOfLongestHistory(trace: Trace): RequestedCall[] {
  const [first, ...others] = trace.steps.filter((step) => step.inputMessages.length > 0);
  if (first === undefined) return [];
  const step = others.reduce((a, b) => (b.inputMessages.length > a.inputMessages.length ? b : a), first);
  return callsIn(step, step.inputMessages);
}

/** Calls in the messages that `step` received, with their results. */
function callsIn(step: Step, messages: readonly Message[]): RequestedCall[] {
  const calls = messages.flatMap((message) => message.toolCalls);
  const requests = calls.map((call) => ({ step, call, result: call.result }));
  stillOpen(
    requests.filter((entry) => isBlank(entry.result)),
    messages,
    step.agent,
  );
  return requests;
}

/** Facts about a call from outside its own record. */
interface CallFacts {
  agentSpan?: number | null;
  /** Command, if the tool is a shell. */
  command?: string | null;
  failure?: FailureText | null;
  /** Code, if a chat ran it. */
  code?: string | null;
}

function toolUse(
  { step, requestedAt, agent }: Pick<ToolUse, 'step' | 'requestedAt' | 'agent'>,
  call: ToolCall,
  span: Step | null,
  { agentSpan = null, command = null, failure: stated = null, code = null }: CallFacts,
): ToolUse {
  const args = readArguments(call.arguments);
  const hasResult = !isBlank(call.result);
  const resultText = typeof call.result === 'string' ? call.result : hasResult ? JSON.stringify(call.result) : '';
  const hasNoOutcome = span?.toolOutcome === undefined && command === null;
  const recorded = stated ?? (span === null ? null : failureOf(span));
  const failure = recorded ?? (hasNoOutcome ? failureInResult(call.result) : null);
  let hash: string | null = null;
  return {
    step,
    requestedAt,
    agent,
    actor: agentSpan === null ? (agent ?? '') : `${agent} ${agentSpan}`,
    name: call.name,
    arguments: args,
    argumentsText: argumentsText(args),
    hasArguments: !isBlank(args) && args !== '""' && args !== 'null',
    resultText,
    hasResult,
    get resultHash() {
      hash ??= `${textKey(withoutVolatile(outputText({ resultText, failure })))}${hasUnrecordedContent(resultText) ? ` ${step}` : ''}`;
      return hash;
    },
    isError: failure !== null,
    failure,
    failedBy: failure === null ? null : recorded === null ? 'result' : 'span',
    refusal: span?.refusal ?? null,
    outcome: span?.toolOutcome ?? null,
    messageId: span?.messageId ?? null,
    command: command ?? code,
    changesState: command === null ? !isLookup(call.name) : !isReadOnlyCommand(command),
  };
}

const UNRECORDED = /^\[(?:image|audio|video|file|document)(?: [^\]]{1,200})?\]$/;

/** Whether a result begins or ends with a picture, sound or file whose content is not recorded: two of them may differ. */
export function hasUnrecordedContent(resultText: string): boolean {
  const text = resultText.trim();
  if (!text.startsWith('[') && !text.endsWith(']')) return false;
  return UNRECORDED.test(text.split('\n', 1)[0]!) || UNRECORDED.test(text.slice(text.lastIndexOf('\n') + 1));
}

/** What a call returned: its result, or its error if the result is empty. */
export function outputText({ resultText, failure }: Pick<ToolUse, 'resultText' | 'failure'>): string {
  return resultText === '' ? (failure?.message ?? '') : resultText;
}

/** A call that only messages show: the requesting agent, the code and the result in the message of `step`. */
export function messageUse(
  step: number,
  agent: string | null,
  { name, code, result, requestedAt }: Record<'name' | 'code' | 'result', string> & { requestedAt: number },
  failure: FailureText | null,
): ToolUse {
  return toolUse({ step, requestedAt, agent }, { id: null, name, arguments: code, result }, null, { failure, code });
}

function isBlank(value: Json): boolean {
  return value === null || value === '';
}

function argumentsText(args: Json): string {
  if (typeof args === 'string') return args.replace(/\s+/g, ' ').trim();
  if (!isJsonObject(args)) return canonicalJson(args);
  const stable = Object.entries(args).filter(([name]) => !isVolatileName(name));
  return canonicalJson(Object.fromEntries(stable)).replace(/\b0x[0-9a-fA-F]{4,}\b/g, '<address>');
}

const LOOKUP_WORDS = new Set(
  (
    'get list search find read calculate compute think reflect fetch lookup look query check view show describe count inspect ' +
    'browse visit page web scroll retrieve select peek grep glob ls cat head tail stat status poll wait validate verify ' +
    'analyze analyse summarize summarise extract parse translate convert compare evaluate estimate answer ask recall'
  ).split(' '),
);
const CHANGING_WORDS = new Set(
  (
    'create update delete set add remove send save write book cancel modify post put patch insert edit move rename run ' +
    'execute submit transfer pay order buy schedule reschedule assign close start stop exchange return reply forward invite ' +
    'upload append replace apply commit push deploy install reserve enable disable reset share click type press fill ' +
    'toggle switch turn connect disconnect activate deactivate resume suspend restart reboot grant revoke change repair ' +
    'refill refuel clear'
  ).split(' '),
);

/** Whether the name of a tool begins with an English verb of change. Other names do not reveal their effects. */
export function hasKnownEffect(name: string): boolean {
  return CHANGING_WORDS.has(wordsOf(name)[0] ?? '');
}

/** Whether the name of a tool shows that it only reads: it contains a read verb and no preceding verb of change. */
export function isLookup(name: string): boolean {
  const parts = wordsOf(name);
  return !CHANGING_WORDS.has(parts[0] ?? '') && parts.some((word) => LOOKUP_WORDS.has(word));
}

function wordsOf(name: string): string[] {
  return name.match(/[A-Z]?[a-z]+|[A-Z]+/g)?.map((word) => word.toLowerCase()) ?? [];
}
