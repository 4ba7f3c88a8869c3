import type { StepError } from '../../core/trace.ts';

/**
 * How providers and servers say that a prompt did not fit: OpenAI and compatible, Anthropic, Google, Bedrock, Cohere,
 * vLLM, llama.cpp, Ollama. Words of their error messages, not of texts about them.
 */
const OVERFLOW =
  /context_length_exceeded|context_window_exceeded|exceed_context_size|model_max_prompt_tokens_exceeded|maximum context length|prompt is too long|exceeds? (?:the |its |available )?context (?:limit|window|length|size)|exceeds the (?:available|model's|model’s|models?) (?:maximum )?(?:context|input)|context (?:length|window|size) (?:was |is |has been )?exceeded|input token count \S{1,20} exceeds|input is too long for requested model|too many tokens: (?:total|size)|ContextWindowExceeded|ContextOverflow|exceed the context (?:window|limit|length)/i;

/** Limits of another kind that speak of tokens too. */
const OTHER_LIMIT = /tokens per min|per minute|\bTPM\b|rate.?limit|completion tokens, whereas/i;

/** How frameworks say that a run was cut off for going on too long: LangGraph, OpenAI Agents, LangChain, CrewAI, smolagents. */
const STEP_LIMIT =
  /GRAPH_RECURSION_LIMIT|GraphRecursionError|MaxTurnsExceeded|Recursion limit of \d+|Max(?:imum)? (?:number of )?(?:turns|iterations|steps)(?: \(\d+\))? (?:exceeded|reached)|Reached max(?:imum)? (?:steps|iterations)|stopped due to (?:max iterations|iteration limit)/i;

/** LangGraph refuses two writes to a field without a reducer in one step. */
const REFUSED_WRITE = /INVALID_CONCURRENT_GRAPH_UPDATE|InvalidUpdateError|receive only one value per step/;

/** By these LangGraph leaves a node to wait for a person; some senders have only `GraphInterrupt((Interrupt(value=…` as text. */
const PAUSE = /^(?:langgraph\.errors\.)?(?:GraphInterrupt|NodeInterrupt)\b/;
/** And by these to hand over to the graph around it. */
const BUBBLE = /^(?:langgraph\.errors\.)?(?:GraphBubbleUp|ParentCommand)\b/;

/** The node stopped to wait for a person. */
export function isPause({ type, message }: StepError): boolean {
  return PAUSE.test(type) || PAUSE.test(message);
}

/** No failure at all: the node stopped as it was meant to. */
export function isControlFlow(error: StepError): boolean {
  return isPause(error) || BUBBLE.test(error.type) || BUBBLE.test(error.message);
}

/** Told by `context_overflow`. */
export function isContextOverflow(error: StepError): boolean {
  const text = textOf(error, 4000);
  return OVERFLOW.test(text) && !OTHER_LIMIT.test(text);
}

/** Told by `loop`. */
export function isStepLimit(error: StepError): boolean {
  return STEP_LIMIT.test(textOf(error, 2000));
}

/** Told by `workflow_design`. */
export function isRefusedWrite(error: StepError): boolean {
  return REFUSED_WRITE.test(textOf(error, 4000));
}

function textOf({ type, message }: StepError, limit: number): string {
  return `${type} ${message.slice(0, limit)}`;
}
