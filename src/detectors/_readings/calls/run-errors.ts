import type { StepError } from '../../../core/trace.ts';

/**
 * Error messages of providers and servers for a prompt that is too long: OpenAI and compatible, Anthropic, Google, Bedrock,
 * Cohere, vLLM, llama.cpp, Ollama. They match error messages, not texts about them.
 */
const OVERFLOW =
  /context_length_exceeded|context_window_exceeded|exceed_context_size|model_max_prompt_tokens_exceeded|maximum context length|prompt is too long|exceeds? (?:the |its |available )?context (?:limit|window|length|size)|exceeds the (?:available|model's|model’s|models?) (?:maximum )?(?:context|input)|context (?:length|window|size) (?:was |is |has been )?exceeded|input token count \S{1,20} exceeds|input is too long for requested model|too many tokens: (?:total|size)|ContextWindowExceeded|ContextOverflow|exceed the context (?:window|limit|length)/i;

/** Other limits that also mention tokens. */
const OTHER_LIMIT = /tokens per min|per minute|\bTPM\b|rate.?limit|completion tokens, whereas/i;

/**
 * Error messages of frameworks for a run that exceeded its step limit: LangGraph, OpenAI Agents, LangChain, CrewAI,
 * smolagents.
 */
const STEP_LIMIT =
  /GRAPH_RECURSION_LIMIT|GraphRecursionError|MaxTurnsExceeded|Recursion limit of \d+|Max(?:imum)? (?:number of )?(?:turns|iterations|steps)(?: \(\d+\))? (?:exceeded|reached)|Reached max(?:imum)? (?:steps|iterations)|stopped due to (?:max iterations|iteration limit)/i;

/**
 * Error messages of frameworks for an answer of the model that does not match its output type: OpenAI Agents, Vercel AI,
 * LangChain, Pydantic AI, Mastra, Instructor.
 */
const OUTPUT_MISMATCH =
  /output did not match the expected schema|Invalid JSON when parsing .{1,400} for TypeAdapter|No object generated: (?:response did not match schema|could not parse the response)|NoObjectGeneratedError|OutputParserException|OUTPUT_PARSING_FAILURE|StructuredOutput(?:Validation|Parsing)?Error|Failed to parse structured output|Exceeded maximum retries \(\d+\) for (?:output|result) validation|Structured output validation failed|InstructorRetryException/i;

/** LangGraph rejects two writes to a field without a reducer in one step. */
const REFUSED_WRITE = /INVALID_CONCURRENT_GRAPH_UPDATE|InvalidUpdateError|receive only one value per step/;

/**
 * Errors with which LangGraph leaves a node to wait for a person; some senders record only
 * `GraphInterrupt((Interrupt(value=…` as text.
 */
const PAUSE = /^(?:langgraph\.errors\.)?(?:GraphInterrupt|NodeInterrupt)\b/;
/** Errors with which LangGraph returns control to the parent graph. */
const RETURN_TO_PARENT = /^(?:langgraph\.errors\.)?(?:GraphBubbleUp|ParentCommand)\b/;

/** The node stopped to wait for a person. */
export function isPause({ type, message }: StepError): boolean {
  return PAUSE.test(type) || PAUSE.test(message);
}

/** Whether the error is control flow and not a failure. */
export function isControlFlow(error: StepError): boolean {
  return isPause(error) || RETURN_TO_PARENT.test(error.type) || RETURN_TO_PARENT.test(error.message);
}

/** Reported by `context_overflow`. */
export function isContextOverflow(error: StepError): boolean {
  const text = textOf(error, 4000);
  return OVERFLOW.test(text) && !OTHER_LIMIT.test(text);
}

/** Reported by `loop`. */
export function isStepLimit(error: StepError): boolean {
  return STEP_LIMIT.test(textOf(error, 2000));
}

/** Reported by `output_validation`. */
export function isOutputMismatch(error: StepError): boolean {
  return OUTPUT_MISMATCH.test(textOf(error, 2000));
}

/** Reported by `workflow_design`. */
export function isRefusedWrite(error: StepError): boolean {
  return REFUSED_WRITE.test(textOf(error, 4000));
}

function textOf({ type, message }: StepError, limit: number): string {
  return `${type} ${message.slice(0, limit)}`;
}
