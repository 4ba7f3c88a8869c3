import { writtenError } from '../../core/decoder-error.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Attributes, Span } from '../../core/span.ts';
import { countOf, objectOf, textOf } from '../coding-session/fields.ts';
import {
  modelCallSpanId,
  promptSpanId,
  sessionRootId,
  spanIdOf,
  subagentSpanId,
  toolSpanId,
} from '../hooks/session-span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { textMessage } from '../misstep/text-message.ts';
import { type TranscriptSession, transcriptSpan } from '../misstep/transcript-span.ts';
import {
  type AnswerPart,
  errorInAnswer,
  errorInRetry,
  type ModelError,
  modelAttributes,
  partOf,
  SYNTHETIC_MODEL,
} from './model-answer.ts';
import type { LastEvent } from './session-end.ts';
import { SessionRoot, type TitleKind } from './session-root.ts';
import { outcomeAttributes, readToolResult } from './tool-result.ts';
import { blocksOf, type MessageLine } from './transcript-line.ts';
import { readUserInput, readUserText } from './user-input.ts';

const SCOPE = { name: 'claude-code.transcript', version: '' };
const MAIN_AGENT = 'claude-code';
const SIDE_AGENT = 'subagent';
const FINAL_TOOL = 'StructuredOutput';
const MAX_MESSAGE_LENGTH = 1_000;

interface Answer {
  span: Span;
  parts: AnswerPart[];
  /** Texts in `parts`, because a resumed session writes its lines again. */
  texts: Set<string>;
}

/** The agent of a line, and the parent span of its steps. */
interface StepAgent {
  name: string | null;
  parentId: string;
  isMain: boolean;
}

/** One session of a transcript, filled line by line. */
export class Session {
  readonly #session: TranscriptSession;
  readonly #root: SessionRoot;
  readonly #steps: Span[] = [];
  readonly #answers = new Map<string, Answer>();
  readonly #calls = new Map<string, Span>();
  readonly #prompts = new Set<string>();
  /** Subagents by id, each with all of its steps. */
  readonly #subagents = new Map<string, Span>();
  #hasMainLines = false;
  /** Working directory of the current line. */
  #directory: string | null = null;
  /** The open series of failed requests: the program retries a request several times. */
  #retries: Span | null = null;

  constructor(id: string, startNs: bigint) {
    this.#session = { id, framework: 'claude-code', scope: SCOPE };
    this.#root = new SessionRoot(this.#session, MAIN_AGENT, startNs);
  }

  setTitle(kind: TitleKind, title: string): void {
    this.#root.setTitle(kind, title);
  }

  /** Records that a line was rejected after the lines read so far. */
  reject(): void {
    this.#root.reject();
  }

  /** @param parentId session that this one was forked from */
  setParent(parentId: string): void {
    this.#root.setParent(parentId);
  }

  addMessage(line: MessageLine, timeNs: bigint): void {
    this.#setEnvironment(line, timeNs);
    const agent = this.#agentOf(line, timeNs);
    const blocks = blocksOf(line.message.content);
    this.#retries = null;
    if (line.type === 'assistant') this.#addAnswer(line, blocks, timeNs, agent);
    else this.#addUserLine(line, blocks, timeNs, agent);
  }

  addSystemLine(line: JsonObject, timeNs: bigint): void {
    this.#setEnvironment(line, timeNs);
    const agent = this.#agentOf(line, timeNs);
    if (line.subtype === 'compact_boundary') this.#addCompaction(line, timeNs, agent);
    else if (line.subtype === 'api_error') this.#addRetry(line, timeNs, agent);
  }

  /** A prompt that the user typed while the agent worked. */
  addQueuedPrompt(line: JsonObject, timeNs: bigint): void {
    const { prompt } = objectOf(line.attachment);
    const promptText =
      typeof prompt === 'string'
        ? prompt
        : blocksOf(prompt)
            .flatMap(({ text }) => textOf(text) ?? [])
            .join('\n');
    const input = readUserText(promptText);
    if (input.kind !== 'prompt') return;
    this.#setEnvironment(line, timeNs);
    this.#addUserPrompt(input.text, line, timeNs, this.#agentOf(line, timeNs));
  }

  /** The file of a subagent does not describe the enclosing session: the session's own file does. */
  spans(): Span[] {
    for (const { span, parts } of this.#answers.values())
      span.attributes['gen_ai.output.messages'] = JSON.stringify([{ role: 'assistant', parts }]);
    const rootSpans = this.#hasMainLines || this.#subagents.size === 0 ? [this.#root.close(this.#steps)] : [];
    return [...rootSpans, ...this.#subagents.values(), ...this.#steps];
  }

  #setEnvironment(line: JsonObject, timeNs: bigint): void {
    this.#directory = textOf(line.cwd) ?? this.#directory;
    this.#root.setEnvironment(line, timeNs);
  }

  /** Lines of older versions do not name the subagent. */
  #agentOf({ isSidechain, agentId }: JsonObject, timeNs: bigint): StepAgent {
    const main = { name: MAIN_AGENT, parentId: sessionRootId(this.#session.id), isMain: true };
    if (isSidechain !== true) {
      this.#hasMainLines = true;
      return main;
    }
    const id = textOf(agentId);
    if (id === null) return { ...main, name: SIDE_AGENT, isMain: false };
    let span = this.#subagents.get(id);
    if (span === undefined) {
      span = this.#span(subagentSpanId(this.#session.id, id), timeNs, SIDE_AGENT, main, {
        [MISSTEP.stepKind]: 'agent',
        [MISSTEP.subagentId]: id,
        'gen_ai.agent.name': SIDE_AGENT,
      });
      this.#subagents.set(id, span);
    }
    span.endNs = timeNs;
    return { name: null, parentId: span.spanId, isMain: false };
  }

  #addAnswer(line: MessageLine, blocks: JsonObject[], timeNs: bigint, agent: StepAgent): void {
    const { message } = line;
    if (message.model === SYNTHETIC_MODEL || line.isApiErrorMessage === true) {
      this.#addProgramAnswer(line, blocks, timeNs, agent);
      return;
    }
    const key = textOf(message.id) ?? line.uuid;
    const answer = this.#answerOf(key, line, timeNs, agent);
    if ((answer.span.endNs ?? 0n) < timeNs) answer.span.endNs = timeNs;
    // Each line of an answer repeats its usage, and the last one is complete.
    delete answer.span.attributes[MISSTEP.isUsagePartial];
    Object.assign(answer.span.attributes, modelAttributes(message));
    for (const block of blocks) {
      const part = partOf(block);
      const text = part === null ? '' : JSON.stringify(part);
      if (part === null || answer.texts.has(text)) continue;
      answer.texts.add(text);
      answer.parts.push(part);
      if (block.type === 'tool_use') this.#openCall(block, key, timeNs, agent);
      this.#recordEvent(block.type === 'tool_use' ? 'call' : 'text', agent);
    }
    if (message.stop_reason === 'max_tokens') this.#recordEvent('limit', agent);
  }

  #answerOf(key: string, line: MessageLine, timeNs: bigint, agent: StepAgent): Answer {
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const spanId = modelCallSpanId(this.#session.id, textOf(line.requestId) ?? key);
    const answer = { span: this.#span(spanId, timeNs, 'chat', agent, {}), parts: [], texts: new Set<string>() };
    this.#answers.set(key, answer);
    this.#steps.push(answer.span);
    return answer;
  }

  /** A text of the program is a step only if it reports an error. */
  #addProgramAnswer(line: MessageLine, blocks: JsonObject[], timeNs: bigint, agent: StepAgent): void {
    if (line.isApiErrorMessage !== true) return;
    const text = blocks.flatMap((block) => textOf(block.text) ?? []).join('\n');
    const error = errorInAnswer(line, text);
    this.#fail(spanIdOf(this.#session.id, 'line', line.uuid), error, timeNs, agent);
    this.#recordEvent(error.isLimit ? 'limit' : 'api_error', agent);
  }

  #addRetry(line: JsonObject, timeNs: bigint, agent: StepAgent): void {
    const attempt = countOf(line.retryAttempt);
    const error = errorInRetry(line);
    if (this.#retries === null || attempt === 1)
      this.#retries = this.#fail(
        spanIdOf(this.#session.id, 'line', textOf(line.uuid) ?? String(timeNs)),
        error,
        timeNs,
        agent,
      );
    this.#retries.endNs = timeNs;
    if (attempt !== null && attempt > 1) this.#retries.status.message = `${error.message} (${attempt} attempts)`;
    this.#recordEvent('api_error', agent);
  }

  #fail(spanId: string, { type, message }: ModelError, timeNs: bigint, agent: StepAgent): Span {
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'anthropic', 'error.type': type };
    const span = this.#span(spanId, timeNs, 'chat', agent, attributes);
    span.status = { code: 2, message };
    this.#steps.push(span);
    return span;
  }

  #addCompaction(line: JsonObject, timeNs: bigint, agent: StepAgent): void {
    const { trigger, preTokens, postTokens } = objectOf(line.compactMetadata);
    const facts: Record<string, Json> = {
      [MISSTEP.stepKind]: 'other',
      [MISSTEP.compactionTrigger]: textOf(trigger),
      [MISSTEP.compactionTokensBefore]: countOf(preTokens),
      [MISSTEP.compactionTokensAfter]: countOf(postTokens),
    };
    const attributes = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
    const id = spanIdOf(this.#session.id, 'line', textOf(line.uuid) ?? String(timeNs));
    this.#steps.push(this.#span(id, timeNs, 'compaction', agent, attributes));
  }

  #openCall({ id, name, input }: JsonObject, messageId: string, timeNs: bigint, agent: StepAgent): void {
    if (typeof id !== 'string' || this.#calls.has(id)) return;
    const tool = textOf(name) ?? 'tool';
    const span = this.#span(toolSpanId(this.#session.id, id), timeNs, tool, agent, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.call.arguments': JSON.stringify(input ?? null),
      [MISSTEP.messageId]: messageId,
    });
    this.#calls.set(id, span);
    this.#steps.push(span);
  }

  #addUserLine(line: MessageLine, blocks: JsonObject[], timeNs: bigint, agent: StepAgent): void {
    for (const block of blocks) if (block.type === 'tool_result') this.#closeCall(block, line, timeNs, agent);
    const input = readUserInput(line);
    if (input.kind === 'prompt') this.#addUserPrompt(input.text, line, timeNs, agent);
    else if (input.kind === 'command') this.#addCommand(input.text, line, timeNs, agent);
    else if (input.kind === 'interruption') this.#addInterruption(line, timeNs, agent);
  }

  #addUserPrompt(promptText: string, line: JsonObject, timeNs: bigint, agent: StepAgent): void {
    if (!agent.isMain) this.#setSubagentInput(promptText, agent);
    else {
      this.#root.setTask(promptText);
      this.#addPrompt(promptText, line, timeNs, agent);
    }
  }

  /** The prompt of a subagent comes from its caller: it is the input of the subagent. */
  #setSubagentInput(promptText: string, { parentId }: StepAgent): void {
    const subagent = [...this.#subagents.values()].find(({ spanId }) => spanId === parentId);
    if (subagent !== undefined) subagent.attributes['gen_ai.input.messages'] ??= textMessage('user', promptText);
  }

  #addCommand(command: string, line: JsonObject, timeNs: bigint, agent: StepAgent): void {
    if (!agent.isMain) return;
    this.#root.setCommand(command);
    this.#addPrompt(command, line, timeNs, agent);
  }

  #addPrompt(promptText: string, { uuid, promptId }: JsonObject, timeNs: bigint, agent: StepAgent): void {
    // A resumed session writes its lines again, with new ids.
    const isKnown = this.#isKnown(`${timeNs} ${promptText}`);
    if (isKnown) return;
    const prompt = textOf(promptId);
    const isFirst = prompt !== null && !this.#isKnown(`id ${prompt}`);
    const spanId = isFirst
      ? promptSpanId(this.#session.id, prompt)
      : spanIdOf(this.#session.id, 'line', textOf(uuid) ?? String(timeNs));
    const attributes = { [MISSTEP.stepKind]: 'message', 'gen_ai.output.messages': textMessage('user', promptText) };
    this.#steps.push(this.#span(spanId, timeNs, 'prompt', { ...agent, name: null }, attributes));
    this.#recordEvent('prompt', agent);
  }

  #isKnown(key: string): boolean {
    if (this.#prompts.has(key)) return true;
    this.#prompts.add(key);
    return false;
  }

  #addInterruption({ uuid }: MessageLine, timeNs: bigint, agent: StepAgent): void {
    if (!this.#isKnown(`interruption ${timeNs}`)) {
      const attributes = { [MISSTEP.stepKind]: 'other', 'error.type': 'interrupted' };
      const span = this.#span(spanIdOf(this.#session.id, 'line', uuid), timeNs, 'interruption', agent, attributes);
      span.status = { code: 2, message: writtenError('interruptedBy', 'the user') };
      this.#steps.push(span);
    }
    this.#recordEvent('interruption', agent);
  }

  #closeCall(block: JsonObject, line: MessageLine, timeNs: bigint, agent: StepAgent): void {
    const span = this.#calls.get(textOf(block.tool_use_id) ?? '');
    if (span === undefined || 'gen_ai.tool.call.result' in span.attributes) return;
    const result = readToolResult(block, line.toolUseResult, line.permissionDecision);
    span.endNs = timeNs;
    const startNs = result.durationMs === null ? 0n : timeNs - BigInt(Math.round(result.durationMs * 1e6));
    if (startNs > span.startNs) span.startNs = startNs;
    if (startNs > 0n) span.attributes[MISSTEP.isTimeMeasured] = true;
    Object.assign(span.attributes, outcomeAttributes(result), { 'gen_ai.tool.call.result': result.text });
    if (result.isError) span.status = { code: 2, message: result.text.slice(0, MAX_MESSAGE_LENGTH) };
    const isFinal = span.name === FINAL_TOOL && !result.isError;
    this.#recordEvent(isFinal ? 'final_result' : result.refusal?.by === 'user' ? 'refused' : 'result', agent);
    if (isFinal && agent.isMain) this.#root.setFinalAnswer(String(span.attributes['gen_ai.tool.call.arguments']));
  }

  #recordEvent(event: LastEvent, agent: StepAgent): void {
    if (agent.isMain) this.#root.recordEvent(event);
  }

  #span(spanId: string, timeNs: bigint, name: string, agent: StepAgent, attributes: Attributes): Span {
    const step = { spanId, parentId: agent.parentId, name, timeNs, directory: this.#directory };
    const named: Attributes = agent.name === null ? {} : { 'gen_ai.agent.name': agent.name };
    return transcriptSpan(this.#session, step, { ...named, ...attributes });
  }
}
