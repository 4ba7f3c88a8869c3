/**
 * Typical text of span chunks, given to zstd in advance so that small chunks compress like large ones.
 * A chunk stores its dictionary version, so a version is never edited: a better one is added with a new number.
 * zstd references the end most cheaply, so the most frequent text comes last.
 */
const DICTIONARY_1 = [
  '"exception.type":"exception.message":"exception.stacktrace":"exception.escaped":"error.type":"Error"',
  '"RateLimitError","TimeoutError","GraphRecursionError"',
  '"server.address":"api.openai.com","server.port":443,"http.request.method":"POST","http.response.status_code":200,"url.full":"https://',
  '"process.pid":"process.runtime.name":"nodejs","process.runtime.version":"host.name":"host.arch":"amd64","os.type":"linux"',
  '"telemetry.sdk.language":"python","telemetry.sdk.name":"opentelemetry","telemetry.sdk.version":"service.instance.id":"service.version":"deployment.environment.name":"production","service.name":"',
  '"telemetry.sdk.language":"nodejs"',
  '"session.id":"user.id":"graph.node.id":"graph.node.name":"graph.node.parent_id":"',
  '"ai.operationId":"ai.generateText.doGenerate","ai.telemetry.functionId":"ai.model.id":"ai.model.provider":"ai.prompt.messages":"ai.prompt.tools":"ai.response.text":"ai.response.toolCalls":"ai.response.finishReason":"stop","ai.usage.inputTokens":,"ai.usage.outputTokens":,"ai.toolCall.name":"ai.toolCall.id":"ai.toolCall.args":"ai.toolCall.result":"',
  '"traceloop.span.kind":"workflow","task","agent","tool","traceloop.workflow.name":"traceloop.entity.name":"traceloop.entity.path":"traceloop.entity.input":"traceloop.entity.output":"traceloop.association.properties.',
  '"openinference.span.kind":"CHAIN","LLM","TOOL","AGENT","RETRIEVER","llm.model_name":"llm.provider":"openai","llm.system":"llm.invocation_parameters":"{\\"temperature\\":0,\\"max_tokens\\":',
  '"llm.token_count.prompt":,"llm.token_count.completion":,"llm.token_count.total":,"llm.input_messages.0.message.role":"system","llm.input_messages.0.message.content":"llm.input_messages.1.message.role":"user","llm.output_messages.0.message.role":"assistant","llm.output_messages.0.message.content":"llm.output_messages.0.message.tool_calls.0.tool_call.function.name":"llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments":"',
  '"metadata":"{\\"langgraph_step\\":1,\\"langgraph_node\\":\\"agent\\",\\"langgraph_triggers\\":[\\"branch:to:\\"],\\"langgraph_path\\":[\\"__pregel_pull\\",\\"langgraph_checkpoint_ns\\":\\"thread_id\\":\\"',
  '{\\"messages\\":[{\\"lc\\":1,\\"type\\":\\"constructor\\",\\"id\\":[\\"langchain_core\\",\\"messages\\",\\"HumanMessage\\",\\"AIMessage\\",\\"ToolMessage\\"],\\"kwargs\\":{\\"content\\":\\"additional_kwargs\\":{},\\"response_metadata\\":{},\\"tool_calls\\":[]',
  '"input.mime_type":"application/json","output.mime_type":"application/json","input.value":"{\\"output.value\\":"{\\"tool.name\\":"tool.parameters":"',
  '"graphruntime.node.name":"graphruntime.state":"{\\"graphruntime.thread_id":"graphruntime.checkpoint_id":"',
  '"misstep.step.kind":"message","misstep.step.index":"misstep.task":"misstep.framework":"claude-code"',
  '"gen_ai.input.messages":"[{\\"role\\":\\"system\\",\\"parts\\":[{\\"type\\":\\"text\\",\\"content\\":\\"You are a helpful assistant. \\"}]},{\\"role\\":\\"user\\",\\"parts\\":[{\\"type\\":\\"text\\",\\"content\\":\\"","gen_ai.output.messages":"[{\\"role\\":\\"assistant\\",\\"parts\\":[{\\"type\\":\\"text\\",\\"content\\":\\"{\\"type\\":\\"tool_call\\",\\"id\\":\\"call_\\",\\"name\\":\\"arguments\\":{\\"finish_reason\\":\\"stop\\"}]"',
  '"gen_ai.tool.definitions":"gen_ai.tool.type":"function","gen_ai.tool.call.id":"call_","gen_ai.tool.call.arguments":"{\\"gen_ai.tool.call.result":"{\\"gen_ai.tool.name":"search","gen_ai.conversation.id":"',
  '"gen_ai.operation.name":"execute_tool","invoke_agent","chat","gen_ai.provider.name":"anthropic","gen_ai.system":"openai","gen_ai.agent.id":"gen_ai.agent.name":"researcher","planner","writer","gen_ai.request.model":"gpt-4o-mini","claude-sonnet-4","gen_ai.response.model":"gpt-4o","gen_ai.response.id":"chatcmpl-","gen_ai.response.finish_reasons":["stop"],["tool_calls"],"gen_ai.request.temperature":,"gen_ai.request.max_tokens":',
  '"gen_ai.usage.prompt_tokens":,"gen_ai.usage.completion_tokens":,"gen_ai.usage.total_tokens":,"gen_ai.usage.input_tokens":,"gen_ai.usage.output_tokens":',
  ',0,"",{"gen_ai.agent.name":"',
  '"openinference.span.kind","input.value","input.mime_type","output.value","output.mime_type","metadata"],["llm.model_name","llm.token_count.prompt","llm.token_count.completion","llm.token_count.total",',
  '["gen_ai.operation.name","gen_ai.agent.name","gen_ai.tool.name","gen_ai.tool.type","gen_ai.tool.call.id","gen_ai.tool.call.arguments","gen_ai.tool.call.result"],',
  '["gen_ai.operation.name","gen_ai.agent.name","gen_ai.provider.name","gen_ai.request.model","gen_ai.response.model","gen_ai.response.id","gen_ai.response.finish_reasons","gen_ai.conversation.id","gen_ai.usage.input_tokens","gen_ai.usage.output_tokens","gen_ai.input.messages","gen_ai.output.messages"],',
  ',"execute_tool",3,0,0,"",0,0,[1,"execute_tool","function","call_ ,0,"chat gpt-4o-mini",3,0,"",0,0,[0,"chat","openai","gpt-4o-mini","chatcmpl-',
  '",[{\\"role\\":\\"system\\",\\"parts\\":[{\\"type\\":\\"text\\",\\"content\\":\\"}]},{\\"role\\":\\"user\\",\\"parts\\":[{\\"type\\":\\"text\\",\\"content\\":\\"","[{\\"role\\":\\"assistant\\",\\"finish_reason\\":\\"stop\\"}]"]],["',
  ' the and that with for this from have are not you your can will please which when there what would about their been has was were into more other some them then than only also could should ',
  '{"baseNs":"179","resources":[[0,"nodejs","python"]],"shapes":[["service.name","telemetry.sdk.language","telemetry.sdk.name","host.name"]],"scopes":[["opentelemetry.instrumentation.","0.1.0"]],"spans":[["',
].join('\n');

export const CHUNK_DICTIONARIES: ReadonlyMap<number, Buffer> = new Map([[1, Buffer.from(DICTIONARY_1)]]);
export const CURRENT_DICTIONARY = 1;
