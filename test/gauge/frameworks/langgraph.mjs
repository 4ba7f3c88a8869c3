// LangGraph with OpenInference spans.
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import * as callbacks from '@langchain/core/callbacks/manager';
import { registerOtlp } from '../kit/otlp.mjs';
import { langchainKit } from './langchain-kit.mjs';

export async function open({ modelUrl, sinkUrl }) {
  const provider = registerOtlp(sinkUrl);
  const instrumentation = new LangChainInstrumentation({ tracerProvider: provider });
  instrumentation.manuallyInstrument(callbacks);
  return { kit: langchainKit(modelUrl), flush: () => provider.forceFlush(), close: () => provider.shutdown() };
}
