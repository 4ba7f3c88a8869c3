import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { textOf } from '../coding-session/fields.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { type NestedResult, nestedResultIn } from './nested-result.ts';
import { type ScriptCall, scriptCalls } from './script-calls.ts';
import { chunksOf, readToolOutput, type ToolOutput } from './tool-output.ts';
import { addOutput, setOutcome } from './tool-span.ts';

/** Creates and stores the span of a tool call. */
export type MakeToolSpan = (call: { id: string; name: string; arguments: string; timeNs: bigint }) => Span;

interface Child {
  call: ScriptCall;
  span: Span;
  /** Whether a separate event reported the result, which is more exact than the script's output. */
  isReported: boolean;
}

interface OpenCall {
  id: string;
  name: string;
  span: Span;
  /** Tools that a code mode script calls. */
  children: Child[];
  /** Whether its result, or the last part of it, is still missing. */
  isOpen: boolean;
}

/** Context of a call: the command that its script started before, and whether a later call reports its result. */
interface CallContext {
  started?: Span | undefined;
  isLater?: boolean;
}

const SCRIPT_TOOL = 'exec';
const POLL_TOOL = 'write_stdin';

/**
 * The tool calls of a session. A code mode script is represented by the tools that it calls. Background commands and
 * scripts receive the results that later calls poll.
 */
export class ToolCalls {
  readonly #makeSpan: MakeToolSpan;
  readonly #spanIdOf: (callId: string) => string;
  readonly #calls = new Map<string, OpenCall>();
  /** By the id that later calls name: background commands and scripts. */
  readonly #commands = new Map<string, Span>();
  readonly #cells = new Map<string, OpenCall>();
  /** Scripts that are represented only by their calls, and calls that did not run. */
  readonly hidden = new Set<Span>();

  constructor(makeSpan: MakeToolSpan, spanIdOf: (callId: string) => string) {
    this.#makeSpan = makeSpan;
    this.#spanIdOf = spanIdOf;
  }

  has(callId: string): boolean {
    return this.#calls.has(callId);
  }

  open(id: string, name: string, given: string, timeNs: bigint): void {
    const calls = name === SCRIPT_TOOL ? scriptCalls(given) : [];
    const isScript = name === SCRIPT_TOOL && parseJson(given) === undefined;
    const shown = isScript ? JSON.stringify({ javascript: given }) : given;
    const span = this.#makeSpan({ id, name, arguments: shown, timeNs });
    const children = calls.map((call, at) => ({
      call,
      span: this.#childSpan(`${id}/${at}`, call, timeNs),
      isReported: false,
    }));
    if (children.length > 0) this.hidden.add(span);
    this.#calls.set(id, { id, name, span, children, isOpen: true });
  }

  #childSpan(id: string, call: ScriptCall, timeNs: bigint): Span {
    const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
    return this.#makeSpan({ id, name: call.tool, arguments: text, timeNs });
  }

  close(id: string, output: Json, timeNs: bigint): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    const script = this.#cellOf(call);
    const children = [...call.children, ...(script?.children ?? [])];
    const read = readToolOutput(output, [call.name, ...children.map((child) => child.call.tool)]);
    call.span.endNs = timeNs;
    call.isOpen = read.cellId !== null;
    if (script !== undefined) setOutcome(call.span, withoutFailure(read));
    else if (call.children.length > 0) setOutcome(call.span, read);
    else this.#finish({ tool: call.name, arguments: argumentsOf(call) }, call.span, read, timeNs);
    if (call.children.length > 0) this.#closeChildren(call, read, output, timeNs);
    if (script !== undefined && read.cellId === null) this.#closeLater(script, read, output, timeNs);
    if (read.cellId !== null && call.name !== 'wait') this.#cells.set(read.cellId, call);
  }

  /** The background script that a call waits for. */
  #cellOf(call: OpenCall): OpenCall | undefined {
    const cell = call.name === 'wait' ? argumentsOf(call).cell_id : undefined;
    return cell === undefined || cell === null ? undefined : this.#cells.get(String(cell));
  }

  #closeLater(script: OpenCall, read: ToolOutput, output: Json, timeNs: bigint): void {
    script.isOpen = false;
    if (script.children.length > 0) this.#closeChildren(script, read, output, timeNs, true);
    else {
      addOutput(script.span, read, timeNs);
      if (read.sessionId !== null) this.#commands.set(read.sessionId, script.span);
    }
  }

  /** @param isLater whether another call reports the results */
  #closeChildren(call: OpenCall, read: ToolOutput, output: Json, timeNs: bigint, isLater = false): void {
    if (read.isError === true && read.message !== null) {
      this.#failChildren(call, read, timeNs);
      return;
    }
    const open = call.children.filter((child) => !child.isReported);
    const results = resultsOf(open.length, read, output);
    let started: Span | undefined;
    for (const [at, { call: made, span }] of open.entries()) {
      const result = results[at];
      span.endNs = timeNs;
      if (result !== undefined) this.#finish(made, span, result, timeNs, { started, isLater });
      if (made.tool !== POLL_TOOL) started = span;
    }
  }

  /** A script ends at the call that fails. An error of the script itself is a step of the script. */
  #failChildren(call: OpenCall, read: ToolOutput, timeNs: bigint): void {
    const message = read.message ?? '';
    const failed = call.children.findLast(({ call: { tool } }) => message.startsWith(`${tool} `));
    for (const { span } of call.children) span.endNs = timeNs;
    if (failed !== undefined) {
      setOutcome(failed.span, { ...read, text: message });
      return;
    }
    this.hidden.delete(call.span);
    setOutcome(call.span, read);
    if (message.startsWith('SyntaxError')) for (const { span } of call.children) this.hidden.add(span);
  }

  /**
   * Sets the result of a call. The result of polling a background command belongs to the call that started the command,
   * including its failure.
   */
  #finish(made: ScriptCall, span: Span, read: ToolOutput, timeNs: bigint, within: CallContext = {}): void {
    const command = this.#commandOf(made, read, within.started);
    if (command !== undefined && command !== span) {
      setOutcome(span, within.isLater ? { ...withoutFailure(read), exitCode: null } : withoutFailure(read));
      addOutput(command, read, timeNs);
    } else {
      setOutcome(span, read);
    }
    if (read.sessionId === null) return;
    const isStart = made.tool !== POLL_TOOL && made.tool !== 'wait';
    if (isStart || !this.#commands.has(read.sessionId)) this.#commands.set(read.sessionId, command ?? span);
  }

  /** The command that a poll reads, if its start is known. */
  #commandOf(made: ScriptCall, read: ToolOutput, started: Span | undefined): Span | undefined {
    if (made.tool !== POLL_TOOL || read.message !== null) return undefined;
    const session = isJsonObject(made.arguments) ? String(made.arguments.session_id ?? '') : '';
    const isNamed = /^\d+$/.test(session);
    return this.#commands.get(isNamed ? session : (read.sessionId ?? '')) ?? (isNamed ? undefined : started);
  }

  /** An event with the result of one call, on its own or within a script. */
  report(type: string, payload: JsonObject, timeNs: bigint): void {
    const result = nestedResultIn(type, payload);
    if (result === null) return;
    const own = this.#calls.get(result.callId);
    if (own !== undefined) {
      if (own.children.length === 0) setOutcome(own.span, result.output);
      return;
    }
    if (!result.callId.startsWith(`${SCRIPT_TOOL}-`)) return;
    const child = this.#childOf(result) ?? this.#addChild(result, timeNs);
    if (child === undefined) return;
    child.isReported = true;
    // The call's own id identifies the span, as in hooks; an attribute stores the model call that ran the script.
    child.span.spanId = this.#spanIdOf(result.callId);
    if (result.arguments !== null)
      child.span.attributes['gen_ai.tool.call.arguments'] = JSON.stringify(result.arguments);
    child.span.endNs = timeNs;
    setOutcome(child.span, result.output);
  }

  /** A call that the source of the running script does not show, for example in a loop. */
  #addChild({ tool, request, arguments: given }: NestedResult, timeNs: bigint): Child | undefined {
    const script = [...this.#calls.values()]
      .slice(-OPEN_SCRIPTS)
      .findLast(({ name, isOpen }) => name === SCRIPT_TOOL && isOpen);
    if (script === undefined || script.children.length >= MAX_CHILDREN) return undefined;
    const call = { tool, arguments: given ?? (request === null ? null : { cmd: request }) };
    const span = this.#childSpan(`${script.id}/${script.children.length}`, call, timeNs);
    const messageId = script.span.attributes[MISSTEP.messageId];
    if (messageId !== undefined) span.attributes[MISSTEP.messageId] = messageId;
    const child = { call, span, isReported: true };
    this.hidden.add(script.span);
    script.children.push(child);
    return child;
  }

  /** The first open call of the last script with the same request. */
  #childOf({ tool, request }: NestedResult): Child | undefined {
    const scripts = [...this.#calls.values()].slice(-OPEN_SCRIPTS).reverse();
    const open = scripts.flatMap(({ children }) =>
      children.filter((child) => !child.isReported && isSameTool(child.call.tool, tool)),
    );
    const isRequested = ({ call }: Child) => request === null || commandOf(call.arguments) === request;
    return open.find(isRequested) ?? open[0];
  }
}

const OPEN_SCRIPTS = 8;
const MAX_CHILDREN = 64;

/** Result of a poll of another call: the failure belongs to the other call. */
function withoutFailure(read: ToolOutput): ToolOutput {
  return { ...read, isError: null, refusal: null, message: null };
}

function isSameTool(called: string, reported: string): boolean {
  return called === reported || (reported === 'web_search' && called.startsWith('web'));
}

function commandOf(args: Json): Json {
  return isJsonObject(args) ? (args.cmd ?? null) : null;
}

function argumentsOf({ span }: OpenCall): JsonObject {
  const args = parseJson(textOf(span.attributes['gen_ai.tool.call.arguments'] as Json) ?? '');
  return isJsonObject(args) ? args : {};
}

/** The result of each call of a script, if the printed parts correspond to the calls; else all on the last one. */
function resultsOf(count: number, read: ToolOutput, output: Json): (ToolOutput | undefined)[] {
  if (count === 1) return [read];
  const printed = Array.isArray(output)
    ? output
        .filter(isJsonObject)
        .slice(1)
        .map(({ text }) => textOf(text) ?? '')
    : [];
  const chunks = printed.flatMap(chunksOf);
  if (chunks.length === count) return chunks;
  if (printed.length === count) return printed.map((text) => ({ ...read, text, exitCode: null, isError: null }));
  return Array.from({ length: count }, (_, at) => (at === count - 1 ? read : undefined));
}
