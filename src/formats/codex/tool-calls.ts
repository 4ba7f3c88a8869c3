import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { type NestedResult, nestedResultIn } from './nested-result.ts';
import { textOf } from './rollout-values.ts';
import { type ScriptCall, scriptCalls } from './script-calls.ts';
import { chunksOf, readToolOutput, type ToolOutput } from './tool-output.ts';
import { addOutput, setOutcome } from './tool-span.ts';

/** Makes and keeps the span of a tool call. */
export type MakeToolSpan = (call: { id: string; name: string; arguments: string; timeNs: bigint }) => Span;

interface Child {
  call: ScriptCall;
  span: Span;
  /** An event of its own reported the result, which is more exact than what the script printed. */
  isReported: boolean;
}

interface OpenCall {
  id: string;
  name: string;
  span: Span;
  /** Tools that a script of code mode calls. */
  children: Child[];
}

const SCRIPT_TOOL = 'exec';

/**
 * The tool calls of a session. A script of code mode is shown as the tools that it calls; commands and scripts that go
 * on in the background get the results that later calls poll for.
 */
export class ToolCalls {
  readonly #makeSpan: MakeToolSpan;
  readonly #spanIdOf: (callId: string) => string;
  readonly #calls = new Map<string, OpenCall>();
  /** By the id that later calls name: a command in the background, a script in the background. */
  readonly #commands = new Map<string, Span>();
  readonly #cells = new Map<string, OpenCall>();
  /** Scripts that are shown as their calls only, and calls that turned out not to have run. */
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
    this.#calls.set(id, { id, name, span, children });
  }

  #childSpan(id: string, call: ScriptCall, timeNs: bigint): Span {
    const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
    return this.#makeSpan({ id, name: call.tool, arguments: text, timeNs });
  }

  close(id: string, output: Json, timeNs: bigint): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    const tools = [call.name, ...call.children.map((child) => child.call.tool), ...this.#toolsOfCell(call)];
    const read = readToolOutput(output, tools);
    call.span.endNs = timeNs;
    setOutcome(call.span, read);
    if (call.children.length > 0) this.#closeChildren(call, read, output, timeNs);
    else this.#follow(call.name, argumentsOf(call), call.span, read, timeNs);
    if (call.children.length > 0 && read.cellId !== null) this.#cells.set(read.cellId, call);
    if (call.name === 'wait') this.#closeCell(call, read, output, timeNs);
  }

  #toolsOfCell(call: OpenCall): string[] {
    return this.#cellOf(call)?.children.map((child) => child.call.tool) ?? [];
  }

  #cellOf(call: OpenCall): OpenCall | undefined {
    const cell = call.name === 'wait' ? argumentsOf(call).cell_id : undefined;
    return cell === undefined || cell === null ? undefined : this.#cells.get(String(cell));
  }

  #closeCell(wait: OpenCall, read: ToolOutput, output: Json, timeNs: bigint): void {
    const script = this.#cellOf(wait);
    if (script !== undefined && read.cellId === null) this.#closeChildren(script, read, output, timeNs);
  }

  #closeChildren(call: OpenCall, read: ToolOutput, output: Json, timeNs: bigint): void {
    if (read.isError === true && read.message !== null) {
      this.#failChildren(call, read, timeNs);
      return;
    }
    const open = call.children.filter((child) => !child.isReported);
    const results = resultsOf(open.length, read, output);
    for (const [at, { call: made, span }] of open.entries()) {
      const result = results[at];
      span.endNs = timeNs;
      if (result === undefined) continue;
      setOutcome(span, result);
      this.#follow(made.tool, made.arguments, span, result, timeNs);
    }
  }

  /** A script ends at the call that fails. An error of the script itself is the script's own step. */
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

  /** A command that goes on gets what later calls read of it. */
  #follow(tool: string, args: Json, span: Span, read: ToolOutput, timeNs: bigint): void {
    if (tool !== 'write_stdin') {
      if (read.sessionId !== null) this.#commands.set(read.sessionId, span);
      return;
    }
    const session = isJsonObject(args) ? args.session_id : null;
    const command = session === null || session === undefined ? undefined : this.#commands.get(String(session));
    if (command !== undefined && read.message === null) addOutput(command, read, timeNs);
  }

  /** An event that reports the result of one call, on its own or within a script. */
  report(type: string, payload: JsonObject, timeNs: bigint): void {
    const result = nestedResultIn(type, payload);
    if (result === null) return;
    const own = this.#calls.get(result.callId);
    if (own !== undefined) {
      if (own.children.length === 0) setOutcome(own.span, result.output);
      return;
    }
    if (!result.callId.startsWith(`${SCRIPT_TOOL}-`)) return;
    const child = this.#childOf(result);
    if (child === undefined) return;
    child.isReported = true;
    child.span.spanId = this.#spanIdOf(result.callId);
    child.span.attributes['gen_ai.tool.call.id'] = result.callId;
    child.span.endNs = timeNs;
    setOutcome(child.span, result.output);
  }

  /** The first open call of the last script that asked for the same. */
  #childOf({ tool, request }: NestedResult): Child | undefined {
    const scripts = [...this.#calls.values()].slice(-OPEN_SCRIPTS).reverse();
    const open = scripts.flatMap(({ children }) =>
      children.filter((child) => !child.isReported && isSameTool(child.call.tool, tool)),
    );
    const isAsked = ({ call }: Child) => request === null || commandOf(call.arguments) === request;
    return open.find(isAsked) ?? open[0];
  }
}

const OPEN_SCRIPTS = 8;

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

/** What each call of a script gave back, as far as the printed parts correspond to the calls; else all at the last one. */
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
