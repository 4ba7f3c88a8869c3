import type { Json } from '../../src/core/json.ts';
import type { Trace } from '../../src/core/trace.ts';
import { messageStep } from '../../src/detectors/_testing/notation.ts';
import {
  addState,
  addStep,
  emptyDraft,
  finishTrace,
  type StepDraft,
  type TraceDraft,
} from '../../src/detectors/_testing/trace-draft.ts';

/** A short trace builder, for tests in which the notation of `notation.ts` would need too many repeats. */
export class TraceBuilder {
  readonly #draft: TraceDraft = emptyDraft();
  #agent: string | null = null;

  framework(name: string): this {
    this.#draft.framework = name;
    return this;
  }

  task(text: string): this {
    this.#draft.task = text;
    return this;
  }

  running(): this {
    this.#draft.isSettled = false;
    return this;
  }

  /** The agent of the steps that follow. */
  agent(name: string | null): this {
    this.#agent = name;
    return this;
  }

  user(text: string): this {
    return this.step(messageStep('user', 'user', text));
  }

  llm(output: string, more: Partial<StepDraft> = {}): this {
    const outputMessages = [{ role: 'assistant', name: null, content: output, toolCalls: [], toolCallId: null }];
    return this.step({ kind: 'llm', model: 'gpt-4o', output, outputMessages, ...more });
  }

  tool(name: string, args: Json, result: Json, more: Partial<StepDraft> = {}): this {
    const output = typeof result === 'string' ? result : result === null ? '' : JSON.stringify(result);
    const tool = { id: null, name, arguments: args, result };
    return this.step({ kind: 'tool', name, input: JSON.stringify(args), output, tool, ...more });
  }

  node(name: string, output: string, more: Partial<StepDraft> = {}): this {
    return this.step({ kind: 'chain', name, node: name, agent: name, output, ...more });
  }

  step(step: StepDraft): this {
    addStep(this.#draft, { agent: this.#agent, ...step });
    return this;
  }

  state(state: Json): this {
    addState(this.#draft, state);
    return this;
  }

  repeat(times: number, act: (builder: this, round: number) => unknown): this {
    for (let round = 1; round <= times; round += 1) act(this, round);
    return this;
  }

  build(): Trace {
    return finishTrace(this.#draft);
  }
}
