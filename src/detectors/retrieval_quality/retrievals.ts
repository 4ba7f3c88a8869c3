import { isJsonObject, parseJson } from '../../core/json.ts';
import type { RetrievedDocument, Step, Trace } from '../../core/trace.ts';

/** A search of a document store: query and results. */
export interface Retrieval {
  step: Step;
  /** Empty if the sender did not record it. */
  query: string;
  documents: readonly RetrievedDocument[];
}

/** Names of tools that search a document store. A search of anything else may legitimately find nothing. */
const STORE_TOOL = /retriev|knowledge|vector|semantic_search|search_(?:docs|documents)|rag(?:_|$)/i;
const NOTHING =
  /^(?:\[\s*\]|\{\s*\}|null|none|(?:no|0) (?:relevant |matching )?(?:results?|documents?|matches|passages?)(?: (?:were )?found)?\.?)$/i;

/** Searches of document stores, as spans of their own or as tool calls with such a name; failed ones are omitted. */
export function retrievalsOf(trace: Trace): Retrieval[] {
  return trace.steps
    .filter((step) => step.error === null && step.status !== 'error')
    .flatMap((step) => retrievalOf(step) ?? []);
}

function retrievalOf(step: Step): Retrieval | null {
  const isStoreTool = step.kind === 'tool' && STORE_TOOL.test(step.tool?.name ?? step.name);
  if (step.kind !== 'retrieval' && !isStoreTool) return null;
  if (step.documents.length > 0) return { step, query: queryOf(step), documents: step.documents };
  const output = step.output.trim();
  if (NOTHING.test(output)) return { step, query: queryOf(step), documents: [] };
  if (output === '') return step.kind === 'retrieval' ? { step, query: queryOf(step), documents: [] } : null;
  return { step, query: queryOf(step), documents: [{ id: null, content: output, score: null }] };
}

const QUERY_NAMES = ['query', 'question', 'q', 'search_query', 'input', 'text', 'search', 'keywords'];

function queryOf(step: Step): string {
  const input = step.tool?.arguments ?? step.input;
  const value = typeof input === 'string' ? (parseJson(input) ?? input) : input;
  if (typeof value === 'string') return value;
  if (!isJsonObject(value)) return '';
  const queryText = QUERY_NAMES.map((name) => value[name]).find((one) => typeof one === 'string');
  return typeof queryText === 'string' ? queryText : '';
}
