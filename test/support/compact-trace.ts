import type { Json } from '../../src/core/json.ts';
import type { Trace } from '../../src/core/trace.ts';

/** The parts of a trace that depend on conventions, in a short form for review. */
export function compactTrace(trace: Trace): Json {
  return {
    framework: trace.framework,
    name: trace.name,
    status: trace.status,
    task: trace.task,
    finalOutput: trace.finalOutput,
    session: trace.sessionId,
    thread: trace.threadId,
    agents: trace.agents,
    tokens: [trace.tokens.input, trace.tokens.output, trace.tokens.total],
    tools: trace.toolDefinitions.map((tool) => tool.name),
    steps: trace.steps.map(({ kind, name, agent, node, model, tokens, tool, depth, error, goto }) => [
      `${'> '.repeat(depth)}${kind}`,
      name,
      agent,
      node,
      model,
      tokens.total,
      ...(tool ? [`${tool.name}(${JSON.stringify(tool.arguments)}) = ${JSON.stringify(tool.result)}`] : []),
      ...(error ? [`error ${error.type}: ${error.message.slice(0, 60)}`] : []),
      ...(goto.length > 0 ? [`goto ${goto.join(', ')}`] : []),
    ]),
    states: trace.states.map((state) => [state.node, state.delta]),
  };
}
