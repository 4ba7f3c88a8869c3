import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';
import { exitCodeIn } from '../../coding-session/exit-code.ts';
import { countOf, objectOf, objectsIn, sumOf, textOf } from '../../coding-session/fields.ts';
import type { HookDialect } from './hook-dialect.ts';

const EVENTS: ReadonlySet<Json | undefined> = new Set([
  'BeforeTool',
  'AfterTool',
  'BeforeAgent',
  'AfterAgent',
  'BeforeModel',
  'AfterModel',
  'BeforeToolSelection',
  'PreCompress',
]);

export const GEMINI_CLI: HookDialect = {
  framework: 'gemini-cli',
  hasNoIds: true,
  isOf: (record) => EVENTS.has(record.hook_event_name) || (textOf(record.transcript_path) ?? '').includes('.gemini'),
  toCommon(record) {
    switch (record.hook_event_name) {
      case 'PreCompress':
        // Sent before every model call; only the user's own command certainly compresses.
        return record.trigger === 'manual' ? record : { ...record, hook_event_name: 'CompressionCheck' };
      case 'AfterTool':
        return { ...record, ...outcomeOf(record) };
      case 'BeforeModel':
        return { ...record, model: objectOf(record.llm_request).model ?? null };
      case 'AfterModel':
        return modelCall(record);
      default:
        return record;
    }
  },
};

function outcomeOf({ tool_name, tool_response }: JsonObject): JsonObject {
  const text = isJsonObject(tool_response) ? textOf(tool_response.llmContent) : null;
  const code = tool_name === 'run_shell_command' && text !== null ? exitCodeIn(text) : null;
  return code === null ? {} : { exit_code: code };
}

/**
 * The hook is called for each part of a streamed response. A part is relevant if it has a finish reason, or token counts,
 * which are cumulative: `joinResponses` creates one call from the parts. The answer text arrives with `AfterAgent`.
 */
function modelCall(record: JsonObject): JsonObject {
  const response = objectOf(record.llm_response);
  const isEnd = objectsIn(response.candidates).some(({ finishReason }) => textOf(finishReason) !== null);
  if (!isEnd && !isJsonObject(response.usageMetadata)) return { ...record, hook_event_name: 'ModelWords' };
  const usage = objectOf(response.usageMetadata);
  return {
    ...record,
    hook_event_name: isEnd ? 'AfterModel' : 'ModelPart',
    model: objectOf(record.llm_request).model ?? null,
    tokens_in: countOf(usage.promptTokenCount),
    tokens_out: sumOf(usage.candidatesTokenCount, usage.thoughtsTokenCount) ?? outputOf(usage),
    tokens_cached: countOf(usage.cachedContentTokenCount),
  };
}

/** Some versions send only the total. */
function outputOf({ promptTokenCount, totalTokenCount }: JsonObject): number | null {
  const [input, total] = [countOf(promptTokenCount), countOf(totalTokenCount)];
  return input === null || total === null || total < input ? null : total - input;
}
