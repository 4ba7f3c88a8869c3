import type { ModelReply, ModelTurn, OfferedTool } from './script.ts';
import { callOf, isObject, type Loose, listOf, nameOf, type Stamp, textIn, type WireAnswer } from './wire.ts';

const MODEL_IN_PATH = /models\/([^:]+)/;

export function readGemini(body: Loose, path: string): ModelTurn {
  const contents = listOf(body.contents);
  const calls = contents.flatMap(({ parts }) => listOf(parts)).flatMap(({ functionCall }) => listOf([functionCall]));
  const declared = listOf(body.tools).flatMap(({ functionDeclarations }) => listOf(functionDeclarations));
  const { responseJsonSchema } = isObject(body.generationConfig) ? body.generationConfig : {};
  const { parts: system } = isObject(body.systemInstruction) ? body.systemInstruction : {};
  return {
    model: MODEL_IN_PATH.exec(path)?.[1] ?? '',
    system: textIn(system),
    user: contents.flatMap(({ role, parts }) => (role === 'user' ? [textIn(parts)] : [])),
    tools: declared.map(({ name, parametersJsonSchema, parameters }) => ({
      name: String(name),
      schema: (parametersJsonSchema ?? parameters) as OfferedTool['schema'],
      isFree: false,
    })),
    calls: calls.length,
    lastCall: nameOf(calls.at(-1)),
    wantsJson: responseJsonSchema !== undefined,
  };
}

/** The reply in the shape of the Gemini API. */
export function writeGemini(reply: ModelReply, path: string, { number, usage }: Stamp): WireAnswer {
  const call = callOf(reply);
  const text = 'text' in reply ? reply.text : '';
  const args = call === null || 'free' in call ? {} : call.arguments;
  const part = call ? { functionCall: { id: call.id ?? `call_${number}`, name: call.name, args } } : { text };
  const json = {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: usage.fresh + usage.cached,
      cachedContentTokenCount: usage.cached,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.fresh + usage.cached + usage.output,
    },
    modelVersion: MODEL_IN_PATH.exec(path)?.[1],
  };
  return path.includes(':stream') ? { chunks: [json], isEndless: true } : { json };
}
