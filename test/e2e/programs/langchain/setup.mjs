// OpenInference on LangChain, exported by the stock OpenTelemetry SDK; its address and headers come from OTEL_* variables.
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import * as callbacks from '@langchain/core/callbacks/manager';
import { NodeSDK } from '@opentelemetry/sdk-node';

const instrumentation = new LangChainInstrumentation();
export const sdk = new NodeSDK({ instrumentations: [instrumentation] });
sdk.start();
instrumentation.manuallyInstrument(callbacks);
