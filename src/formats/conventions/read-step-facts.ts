import type { Span } from '../../core/span.ts';
import { readAutoGen } from './auto-gen.ts';
import { readClaudeCode } from './claude-code.ts';
import { readCrewAi } from './crew-ai.ts';
import { readDify } from './dify.ts';
import { frameworkWeight } from './framework-of-scope.ts';
import { readGraphRuntime } from './graph-runtime.ts';
import { readHookSpan } from './hook-span.ts';
import { readLangSmith } from './lang-smith.ts';
import { readLangfuse } from './langfuse.ts';
import { readLlamaIndex } from './llama-index.ts';
import { readMastra } from './mastra.ts';
import { readMisstep } from './misstep.ts';
import { readOpenClaw } from './open-claw.ts';
import { readOpenInference } from './open-inference.ts';
import { readOpenLlmetry } from './open-llmetry.ts';
import { readOpenAiAgents } from './openai-agents.ts';
import { readOtelGenAi } from './otel-gen-ai.ts';
import { readPlainSpan } from './plain-span.ts';
import { readRuntimeFacts } from './runtime-facts.ts';
import { readSpanError } from './span-error.ts';
import type { FactsReader, StepFacts } from './step-facts.ts';
import { readVercelAi } from './vercel-ai.ts';

/** In order of precedence: a later family does not override an earlier one. */
export const FACTS_READERS: readonly FactsReader[] = [
  readMisstep,
  readGraphRuntime,
  // This exporter writes `embeddings` as the operation of a retriever.
  readLangSmith,
  readMastra,
  readOtelGenAi,
  readLlamaIndex,
  readDify,
  readOpenInference,
  readOpenLlmetry,
  readVercelAi,
  readLangfuse,
  readCrewAi,
  readAutoGen,
  readOpenAiAgents,
  readOpenClaw,
  readClaudeCode,
  readRuntimeFacts,
  readHookSpan,
  readPlainSpan,
];

/** The facts of all families about one span; earlier families take precedence. */
export function readStepFacts(span: Span): Partial<StepFacts> {
  const facts: Partial<StepFacts> = {};
  for (const read of FACTS_READERS) {
    const found = read(span);
    if (found !== null) fillIn(facts, found);
  }
  const error = readSpanError(span);
  // A level with a message is more specific than a bare status.
  if (error !== null && (error.message !== '' || facts.error === undefined)) facts.error = error;
  return facts;
}

function fillIn(facts: Partial<StepFacts>, found: Partial<StepFacts>): void {
  const into = facts as { [key: string]: unknown };
  for (const key in found) {
    const value = found[key as keyof StepFacts];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    if (key === 'tokens' && facts.tokens) facts.tokens = fillInTokens(facts.tokens, found.tokens ?? {});
    else if (key === 'framework' ? isWeaker(facts.framework, found.framework) : into[key] === undefined)
      into[key] = value;
  }
}

/**
 * Whether a framework name is the less specific one: the name of what runs the agents takes precedence over that of a
 * recorder or model provider.
 */
function isWeaker(known: string | undefined, found: string | undefined): boolean {
  return known === undefined || (found !== undefined && frameworkWeight(known) < frameworkWeight(found));
}

function fillInTokens(known: StepFacts['tokens'], found: StepFacts['tokens']): StepFacts['tokens'] {
  const tokens = { ...found };
  for (const key of Object.keys(known) as (keyof StepFacts['tokens'])[]) {
    if (known[key] !== undefined) tokens[key] = known[key];
  }
  return tokens;
}
