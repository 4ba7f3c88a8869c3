import type { Trace } from '../../../src/core/trace.ts';
import { messageStep } from '../../../src/detectors/_testing/notation.ts';
import { addStep, emptyDraft, finishTrace } from '../../../src/detectors/_testing/trace-draft.ts';

const TASK = 'Summarise the document for me.';
const ANSWER = 'I have read the document.';

/** A run in which a tool returns the text. */
export function runWithToolResult(text: string): Trace {
  const draft = emptyDraft();
  addStep(draft, { ...messageStep('user', 'user', TASK), agent: 'user' });
  const call = { id: 'c1', name: 'open_document', arguments: { id: 'doc-1' }, result: text };
  addStep(draft, { kind: 'tool', name: 'open_document', agent: 'reader', tool: call, output: text });
  addStep(draft, { kind: 'llm', name: 'model', model: 'model', agent: 'reader', output: ANSWER });
  return finishTrace(draft);
}

/** A run in which the text is a user message. */
export function runWithUserMessage(text: string): Trace {
  const draft = emptyDraft();
  addStep(draft, { ...messageStep('user', 'user', text), agent: 'user' });
  addStep(draft, { kind: 'llm', name: 'model', model: 'model', agent: 'clerk', output: 'How can I help?' });
  return finishTrace(draft);
}

/** A run in which a model answers from retrieved documents. */
export function runWithAnswer(answer: string, sources: readonly string[]): Trace {
  const draft = emptyDraft();
  addStep(draft, { ...messageStep('user', 'user', 'Answer from the documents.'), agent: 'user' });
  const documents = sources.map((content, at) => ({ id: `d${at}`, content, score: null }));
  addStep(draft, { kind: 'retrieval', name: 'search', agent: 'guide', documents });
  addStep(draft, { kind: 'llm', name: 'model', model: 'model', agent: 'guide', output: answer });
  return finishTrace(draft);
}
