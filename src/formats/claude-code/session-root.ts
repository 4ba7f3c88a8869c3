import type { JsonObject } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import { textOf } from '../coding-session/fields.ts';
import { sessionRootId } from '../hooks/session-span.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { RejectedRecords } from '../misstep/rejected-records.ts';
import { titleOfTask } from '../misstep/task-title.ts';
import { textMessage } from '../misstep/text-message.ts';
import { type TranscriptSession, transcriptSpan } from '../misstep/transcript-span.ts';
import { type LastEvent, nextEvent, sessionEnd } from './session-end.ts';

/** Sources of a title, the most trusted first. */
const TITLE_KINDS = ['custom', 'generated', 'summary'] as const;
export type TitleKind = (typeof TITLE_KINDS)[number];

/** The root span of a session: its task, title and environment, and how it ended. */
export class SessionRoot {
  readonly #span: Span;
  readonly #titles = new Map<TitleKind, string>();
  readonly #rejected = new RejectedRecords();
  #command: string | null = null;
  #finalAnswer: string | null = null;
  #last: LastEvent | null = null;

  constructor(session: TranscriptSession, agent: string, startNs: bigint) {
    const step = { spanId: sessionRootId(session.id), parentId: null, name: agent, timeNs: startNs, directory: null };
    this.#span = transcriptSpan(session, step, {
      [MISSTEP.stepKind]: 'agent',
      [MISSTEP.sessionId]: session.id,
      'gen_ai.agent.name': agent,
    });
  }

  reject(): void {
    this.#rejected.add(this.#span.endNs);
  }

  setEnvironment(line: JsonObject, timeNs: bigint): void {
    const { attributes } = this.#span;
    if ((this.#span.endNs ?? 0n) < timeNs) this.#span.endNs = timeNs;
    if (timeNs < this.#span.startNs) this.#span.startNs = timeNs;
    const [directory, branch, mode] = [textOf(line.cwd), textOf(line.gitBranch), textOf(line.permissionMode)];
    if (directory !== null) attributes[MISSTEP.sessionProject] ??= directory;
    if (directory !== null) attributes[MISSTEP.workingDirectory] ??= directory;
    if (branch !== null) attributes[MISSTEP.sessionBranch] = branch;
    if (mode !== null) attributes[MISSTEP.permissionMode] = mode;
  }

  /** The first prompt with text of the user is the task. */
  setTask(words: string): void {
    this.#span.attributes[MISSTEP.task] ??= words;
  }

  /** The task of a session without another prompt. */
  setCommand(command: string): void {
    this.#command ??= command;
  }

  /** The last title of a kind is used. */
  setTitle(kind: TitleKind, title: string): void {
    this.#titles.set(kind, title);
  }

  setParent(parentId: string): void {
    this.#span.attributes[MISSTEP.sessionParentId] ??= parentId;
  }

  /** An answer in the argument of a tool, as JSON text. */
  setFinalAnswer(answer: string): void {
    this.#finalAnswer = answer;
  }

  recordEvent(event: LastEvent): void {
    this.#last = nextEvent(this.#last, event);
    if (event === 'text' || event === 'prompt') this.#finalAnswer = null;
  }

  close(steps: readonly Span[]): Span {
    const { attributes } = this.#span;
    if (this.#command !== null) attributes[MISSTEP.task] ??= this.#command;
    const title = this.#title();
    if (title !== null) attributes[MISSTEP.sessionTitle] = title;
    if (title !== null) this.#span.name = title;
    if (this.#finalAnswer !== null) attributes['gen_ai.output.messages'] = textMessage('assistant', this.#finalAnswer);
    Object.assign(attributes, this.#rejected.attributes());
    this.#end(steps);
    return this.#span;
  }

  #title(): string | null {
    const given = TITLE_KINDS.map((kind) => this.#titles.get(kind)).find((title) => title !== undefined);
    const task = this.#span.attributes[MISSTEP.task];
    return given ?? (typeof task === 'string' ? titleOfTask(task) : null);
  }

  /** Only API errors fail a session. Without a known end, its status is unset. */
  #end(steps: readonly Span[]): void {
    const endedBy = sessionEnd(this.#last);
    this.#span.attributes[MISSTEP.sessionEndedBy] = endedBy;
    if (endedBy === 'api_error' || endedBy === 'limit') {
      const failed = steps.findLast(({ status }) => status.code === 2);
      this.#span.status = { code: 2, message: failed?.status.message ?? '' };
    } else if (endedBy !== 'unknown') this.#span.status = { code: 1, message: '' };
  }
}
