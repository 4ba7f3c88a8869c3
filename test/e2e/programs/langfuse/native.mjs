// langfuse 3 with its own ingestion API; LANGFUSE_* variables name the server and the keys. With FAILING the tool fails.
import { Langfuse } from 'langfuse';

const langfuse = new Langfuse();
langfuse.on('error', (error) => console.log(String(error)));
const question = 'How many sets of BP-204 are in stock?';
const trace = langfuse.trace({ name: 'repair', sessionId: 'bench-3', userId: 'user-5', input: question });
const agent = trace.span({ name: 'mechanic', input: question });
const tool = agent.span({ name: 'find_part', input: { part: 'BP-204' } });
if (process.env.FAILING) tool.end({ level: 'ERROR', statusMessage: 'connect ECONNREFUSED 10.20.0.7:5432' });
else tool.end({ output: { sets: 7 } });
const generation = agent.generation({ name: 'answer', model: 'gpt-4o', input: [{ role: 'user', content: question }] });
const answer = 'Brake pads BP-204: 7 sets are in stock.';
generation.end({ output: answer, usage: { input: 120, output: 30 } });
agent.end({ output: answer });
trace.update({ output: answer });
await langfuse.flushAsync();
await langfuse.shutdownAsync();
