import { type Json, parseJson } from '../../core/json.ts';
import {
  type Branches,
  type CodingSession,
  REFUSED_BY,
  type RejectedRecords,
  type ToolCall,
  type Trace,
} from '../../core/trace.ts';
import { addState, addStep, emptyDraft, finishTrace, type StepDraft, type TraceDraft } from './trace-draft.ts';

/**
 * A trace as a few lines of text, for tests and for examples that documentation can run. One line per step; lines
 * indented below a step are its children. Quoted texts are JSON strings, values are JSON.
 *
 *     framework langgraph          task "book a flight"          running
 *     agent researcher                                the agent of the lines that follow
 *     in "/srv/shop"                                  the working directory of the lines that follow
 *     system "…"      user "…"      message NAME "…"
 *     llm gpt-4o 1200/50 -> "text"                    tokens in/out; `calls search {"q":1}`, `finish length`, `cost 0.02`
 *     tool search {"q":"x"} -> "result"               a result is JSON; `!! TypeError: message` for a failure; before it
 *                                                     `exit 1`, `flag error|ok`, `refused user "reason"`, `of m1` (message id)
 *     session {"endedBy":"completed"}                 the session of a coding agent; omitted fields are null
 *     rejected {"count":1,"afterStep":3,"isEndMissing":true}   records of the run that were rejected
 *     compaction {"trigger":"auto"}                   a compaction of the conversation
 *     retrieval "query" -> ["first document", "second"]
 *     node planner -> "text"      span NAME           graph node (agent and node of its name), plain span
 *     node router goto writer
 *     span route given "input" branches {"conditions":3,"taken":[]}   a step that decides which branches run
 *     state {"a":1}                                   the whole state after the step above
 *     offers search {"type":"object"}                 a tool the run was offered
 *     graph start -> planner -> writer                declared edges, the first is the entry
 *     final "text"                                    the run's last answer, if it is not the last model's text
 *     repeat 3                                        the lines indented below, three times; {n} is the round from 1
 */
export function parseTrace(text: string): Trace {
  const draft = emptyDraft();
  const context: Context = { draft, agent: null, open: [] };
  for (const { indent, text: line } of unrolled(linesOf(text))) readLine(context, indent, line);
  return finishTrace(draft);
}

interface Line {
  indent: number;
  text: string;
}

interface Context {
  draft: TraceDraft;
  agent: string | null;
  /** Open steps by indentation; lines further right are their children. */
  open: { indent: number; step: number; agent: string | null }[];
}

function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'))
    .map((line) => ({ indent: line.length - line.trimStart().length, text: line.trim() }));
}

function unrolled(lines: readonly Line[]): Line[] {
  const out: Line[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    const times = /^repeat (\d+)$/.exec(line.text)?.[1];
    if (times === undefined) {
      out.push(line);
      continue;
    }
    const rest = lines.slice(at + 1);
    const end = rest.findIndex((next) => next.indent <= line.indent);
    const block = end === -1 ? rest : rest.slice(0, end);
    const shift = (block[0]?.indent ?? line.indent) - line.indent;
    for (let round = 1; round <= Number(times); round += 1) {
      const copy = block.map(({ indent, text }) => ({
        indent: indent - shift,
        text: text.replaceAll('{n}', `${round}`),
      }));
      out.push(...unrolled(copy));
    }
    at += block.length;
  }
  return out;
}

function readLine(context: Context, indent: number, line: string): void {
  const [word] = line.split(' ', 1) as [string];
  const scanner = new Scanner(line.slice(word.length));
  const read = READERS[word];
  if (read === undefined) throw new Error(`notation: unknown word in "${line}"`);
  while (context.open.length > 0 && context.open[context.open.length - 1]!.indent >= indent) context.open.pop();
  const step = read(scanner, context);
  if (scanner.rest() !== '') throw new Error(`notation: "${scanner.rest()}" was not understood in "${line}"`);
  if (step === null) return;
  const parent = context.open[context.open.length - 1];
  const agent = step.agent !== undefined ? step.agent : (parent?.agent ?? context.agent);
  const index = addStep(context.draft, { parent: parent?.step ?? null, ...step, agent });
  context.open.push({ indent, step: index, agent: agent ?? context.agent });
}

type Reader = (scanner: Scanner, context: Context) => StepDraft | null;

const READERS: Record<string, Reader> = {
  framework: (scanner, { draft }) => done(() => (draft.framework = scanner.name())),
  task: (scanner, { draft }) => done(() => (draft.task = scanner.string())),
  in: (scanner, { draft }) => done(() => (draft.workingDirectory = scanner.string())),
  running: (_, { draft }) => done(() => (draft.isSettled = false)),
  rejected: (scanner, { draft }) => done(() => (draft.rejectedRecords = scanner.json() as unknown as RejectedRecords)),
  session: (scanner, { draft }) =>
    done(() => {
      const none = { title: null, project: null, branch: null, endedBy: 'unknown', parentId: null };
      draft.codingSession = { ...none, ...(scanner.json() as object) } as CodingSession;
    }),
  compaction: (scanner) => {
    const compaction = { trigger: null, tokensBefore: null, tokensAfter: null, ...(scanner.json() as object) };
    return { kind: 'other', name: 'compaction', facts: { compaction } };
  },
  final: (scanner, { draft }) => done(() => (draft.finalOutput = scanner.string())),
  agent: (scanner, context) => done(() => (context.agent = scanner.name())),
  system: (scanner) => messageStep('system', 'system', scanner.string()),
  user: (scanner) => messageStep('user', 'user', scanner.string()),
  message: (scanner) => {
    const name = scanner.name();
    return messageStep(name, 'assistant', scanner.string());
  },
  llm: readLlm,
  tool: readTool,
  retrieval: readRetrieval,
  node: (scanner) => {
    const name = scanner.name();
    return { ...readSpan(scanner), name, agent: name, node: name };
  },
  span: (scanner) => {
    const name = scanner.name();
    return { ...readSpan(scanner), name };
  },
  state: (scanner, { draft }) => done(() => addState(draft, scanner.json())),
  offers: (scanner, { draft }) =>
    done(() => draft.toolDefinitions.push({ name: scanner.name(), parameters: scanner.json(), description: '' })),
  graph: (scanner, { draft }) =>
    done(() =>
      addEdges(
        draft,
        scanner
          .all()
          .split('->')
          .map((name) => name.trim()),
      ),
    ),
};

export function messageStep(name: string, role: string, content: string): StepDraft {
  const outputMessages = [{ role, name: null, content, toolCalls: [], toolCallId: null }];
  return { kind: 'message', name, agent: name, output: content, outputMessages };
}

function done(act: () => unknown): null {
  act();
  return null;
}

function readLlm(scanner: Scanner): StepDraft {
  const model = scanner.name();
  const tokens = scanner.match(/^(\d+)\/(\d+)/);
  const step: StepDraft = { kind: 'llm', name: model, model };
  if (tokens !== null) Object.assign(step, { inputTokens: Number(tokens[1]), outputTokens: Number(tokens[2]) });
  const toolCalls: ToolCall[] = [];
  while (scanner.rest() !== '') {
    if (scanner.take('->')) step.output = scanner.string();
    else if (scanner.take('!!')) step.error = scanner.error();
    else if (scanner.take('finish')) step.finishReasons = [scanner.name()];
    else if (scanner.take('cost')) step.costUsd = Number(scanner.name());
    else if (scanner.take('calls'))
      toolCalls.push({ id: null, name: scanner.name(), arguments: scanner.json(), result: null });
    else return step;
  }
  if (step.output !== undefined || toolCalls.length > 0) {
    step.outputMessages = [{ role: 'assistant', name: null, content: step.output ?? '', toolCalls, toolCallId: null }];
  }
  return step;
}

function readTool(scanner: Scanner): StepDraft {
  const name = scanner.name();
  const args = scanner.jsonIfAny() ?? {};
  const step: StepDraft = { kind: 'tool', name, input: JSON.stringify(args), facts: readCallFacts(scanner) };
  let result: Json = null;
  if (scanner.take('->')) result = scanner.json();
  if (scanner.take('!!')) step.error = scanner.error();
  step.output = typeof result === 'string' ? result : result === null ? '' : JSON.stringify(result);
  step.tool = { id: null, name, arguments: args, result };
  return step;
}

/** Facts that the agent's program records about a call. */
function readCallFacts(scanner: Scanner): NonNullable<StepDraft['facts']> {
  const facts: NonNullable<StepDraft['facts']> = {};
  for (;;) {
    if (scanner.take('exit ')) facts.toolOutcome = { isError: null, exitCode: Number(scanner.name()) };
    else if (scanner.take('flag ')) facts.toolOutcome = { isError: scanner.name() === 'error', exitCode: null };
    else if (scanner.take('of ')) facts.messageId = scanner.name();
    else if (scanner.take('refused ')) {
      const by = scanner.name();
      const reason = scanner.jsonIfAny();
      facts.refusal = {
        by: REFUSED_BY.find((known) => known === by) ?? 'user',
        reason: typeof reason === 'string' ? reason : null,
      };
    } else return facts;
  }
}

function readRetrieval(scanner: Scanner): StepDraft {
  const input = scanner.string();
  const found = scanner.take('->') ? scanner.json() : [];
  const texts = (Array.isArray(found) ? found : [found]).map(String);
  const documents = texts.map((content, at) => ({ id: `doc-${at + 1}`, content, score: null }));
  return { kind: 'retrieval', name: 'retrieval', input, output: texts.join('\n'), documents };
}

function readSpan(scanner: Scanner): StepDraft {
  const step: StepDraft = { kind: 'chain' };
  if (scanner.take('goto')) step.goto = [scanner.name()];
  if (scanner.take('given')) step.input = scanner.string();
  if (scanner.take('branches')) step.facts = { branches: scanner.json() as unknown as Branches };
  if (scanner.take('->')) step.output = scanner.string();
  if (scanner.take('!!')) step.error = scanner.error();
  return step;
}

function addEdges(draft: TraceDraft, names: readonly string[]): void {
  draft.graph ??= { nodes: [], edges: [] };
  const { nodes, edges } = draft.graph;
  for (const name of names) {
    const isKnown = nodes.some((node) => node.name === name);
    if (!isKnown) nodes.push({ name, type: 'node', isEntry: nodes.length === 0 });
  }
  for (let at = 1; at < names.length; at += 1) edges.push({ from: names[at - 1]!, to: names[at]! });
}

/** Reads one line from left to right. */
class Scanner {
  #rest: string;

  constructor(text: string) {
    this.#rest = text.trim();
  }

  rest(): string {
    return this.#rest;
  }

  all(): string {
    const text = this.#rest;
    this.#rest = '';
    return text;
  }

  match(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(this.#rest);
    if (found !== null) this.#rest = this.#rest.slice(found[0].length).trim();
    return found;
  }

  take(word: string): boolean {
    if (!this.#rest.startsWith(word)) return false;
    this.#rest = this.#rest.slice(word.length).trim();
    return true;
  }

  name(): string {
    const found = this.match(/^[^\s"{[]+/);
    if (found === null) throw new Error(`notation: a name was expected at "${this.#rest}"`);
    return found[0];
  }

  string(): string {
    const value = this.json();
    if (typeof value !== 'string') throw new Error('notation: a quoted text was expected');
    return value;
  }

  json(): Json {
    const value = this.jsonIfAny();
    if (value === undefined) throw new Error(`notation: JSON was expected at "${this.#rest}"`);
    return value;
  }

  /** The JSON value at this position; undefined if none starts here. */
  jsonIfAny(): Json | undefined {
    const ends = /["\]}\w]/g;
    for (let end = ends.exec(this.#rest); end !== null; end = ends.exec(this.#rest)) {
      const value = parseJson(this.#rest.slice(0, end.index + 1));
      if (value === undefined || /^[\d.]/.test(this.#rest.slice(end.index + 1))) continue;
      this.#rest = this.#rest.slice(end.index + 1).trim();
      return value;
    }
    return undefined;
  }

  /** `TimeoutError: took too long` or a message alone, up to the end of the line. */
  error(): { type: string; message: string } {
    const text = this.all();
    const typed = /^([A-Za-z_.]*(?:Error|Exception|Timeout)|\d{3}): (.*)$/.exec(text);
    return typed === null ? { type: '', message: text } : { type: typed[1]!, message: typed[2]! };
  }
}
