import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Attributes } from '../../core/span.ts';
import { readDocuments } from '../conventions/retrieved-documents.ts';
import { MISSTEP } from '../misstep/attributes.ts';
import { withoutNulls } from '../misstep/without-nulls.ts';
import { toolRunAttributes } from './tool-run.ts';

/** Names of LangSmith's libraries in `extra.runtime.sdk`. */
const SDK_LANGUAGES: Readonly<Record<string, string>> = { 'langsmith-js': 'nodejs', 'langsmith-py': 'python' };

/** Attributes of a run under the names of LangSmith's own OpenTelemetry exporter; absent values have no key. */
export function runAttributes(run: JsonObject, isRoot: boolean): Attributes {
  const extra = objectAt(run, 'extra');
  const metadata = objectAt(extra, 'metadata');
  return withoutNulls({
    'langsmith.span.kind': run.run_type ?? null,
    'langsmith.trace.name': isRoot ? (run.name ?? null) : null,
    'langsmith.trace.session_name': textOf(run.session_name),
    [MISSTEP.sdkLanguage]: isRoot ? (SDK_LANGUAGES[textOf(objectAt(extra, 'runtime').sdk) ?? ''] ?? null) : null,
    ...metadataAttributes(metadata),
    ...kindAttributes(run, extra, metadata),
  });
}

function kindAttributes(run: JsonObject, extra: JsonObject, metadata: JsonObject): Record<string, Json> {
  if (run.run_type === 'tool') return toolRunAttributes(run);
  // A patch may leave the type to its post: it is written for every kind of step that it can complete.
  const result = run.run_type == null ? toolRunAttributes(run)['gen_ai.tool.call.result'] : undefined;
  if (result != null) {
    const params = objectAt(extra, 'invocation_params');
    return { ...contentsOf(run), ...modelAttributes(run, params, metadata), 'gen_ai.tool.call.result': result };
  }
  const contents = contentsOf(run);
  if (run.run_type === 'llm')
    return { ...contents, ...modelAttributes(run, objectAt(extra, 'invocation_params'), metadata) };
  if (run.run_type === 'retriever') return { ...contents, ...retrievalAttributes(run) };
  return contents;
}

function contentsOf(run: JsonObject): Record<string, Json> {
  return { 'gen_ai.prompt': jsonOf(run.inputs), 'gen_ai.completion': jsonOf(run.outputs) };
}

/** Numbers, texts and booleans of the metadata; nested values are not facts about the step. */
function metadataAttributes(metadata: JsonObject): Record<string, Json> {
  const scalars = Object.entries(metadata).filter(([, value]) => value !== null && typeof value !== 'object');
  return Object.fromEntries(scalars.map(([key, value]) => [`langsmith.metadata.${key}`, value]));
}

function modelAttributes(run: JsonObject, params: JsonObject, metadata: JsonObject): Record<string, Json> {
  const generation = firstGeneration(run);
  const info = [generation.generationInfo, generation.generation_info].find(isJsonObject);
  const answered = objectAt(messageOf(generation), 'response_metadata');
  const reason = info?.finish_reason ?? answered.finish_reason ?? answered.stop_reason;
  return {
    'gen_ai.request.model': textOf(metadata.ls_model_name) ?? textOf(params.model) ?? textOf(params.model_name),
    'gen_ai.provider.name': textOf(metadata.ls_provider),
    'gen_ai.response.model': textOf(answered.model_name) ?? textOf(answered.model),
    'gen_ai.response.finish_reasons': typeof reason === 'string' ? [reason] : null,
    'gen_ai.tool.definitions': Array.isArray(params.tools) ? params.tools.map((tool) => JSON.stringify(tool)) : null,
    'langsmith.usage_metadata': usageOf(run, metadata, generation),
    'gen_ai.usage.cost': costOf(run.total_cost),
  };
}

/** Newer SDKs put the usage in the metadata or the outputs, older ones in the message or next to it, exports in columns. */
function usageOf(run: JsonObject, metadata: JsonObject, generation: JsonObject): string | null {
  const outputs = objectAt(run, 'outputs');
  const spelled = [metadata.usage_metadata, outputs.usage_metadata, messageOf(generation).usage_metadata].find(
    isJsonObject,
  );
  if (spelled !== undefined) return JSON.stringify(spelled);
  const counted = [objectAt(outputs, 'llmOutput').tokenUsage, objectAt(outputs, 'llm_output').token_usage, run].find(
    isJsonObject,
  );
  const input = counted?.promptTokens ?? counted?.prompt_tokens;
  const output = counted?.completionTokens ?? counted?.completion_tokens;
  if (typeof input !== 'number' && typeof output !== 'number') return null;
  return JSON.stringify({ input_tokens: input ?? null, output_tokens: output ?? null });
}

/** The first answer to the prompts; `{}` if a run has none. */
function firstGeneration(run: JsonObject): JsonObject {
  const { generations } = objectAt(run, 'outputs');
  const first = Array.isArray(generations) ? generations.flat(1)[0] : undefined;
  return isJsonObject(first) ? first : {};
}

function messageOf(generation: JsonObject): JsonObject {
  const message = objectAt(generation, 'message');
  return isJsonObject(message.kwargs) ? message.kwargs : message;
}

function retrievalAttributes(run: JsonObject): Record<string, Json> {
  // A post without outputs must not clear those of its patch.
  const documents = run.outputs == null ? null : JSON.stringify(readDocuments(run.outputs));
  return { [MISSTEP.stepKind]: 'retrieval', [MISSTEP.documents]: documents };
}

/** Exports give costs as numbers or decimal texts. */
function costOf(value: Json | undefined): number | null {
  const cost = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof cost === 'number' && cost > 0 && Number.isFinite(cost) ? cost : null;
}

function objectAt(value: JsonObject, key: string): JsonObject {
  const found = value[key];
  return isJsonObject(found) ? found : {};
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function jsonOf(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
