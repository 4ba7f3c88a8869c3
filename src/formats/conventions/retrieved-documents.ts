import { isJsonObject, type Json } from '../../core/json.ts';
import type { RetrievedDocument } from '../../core/trace.ts';

const CONTENT_FIELDS = ['content', 'pageContent', 'page_content', 'text', 'document'];

/** Documents as retrievers return them: a list of texts or objects, alone or as the first list of an object. */
export function readDocuments(returned: Json): RetrievedDocument[] {
  const list = isJsonObject(returned) ? Object.values(returned).find(Array.isArray) : returned;
  return Array.isArray(list) ? list.flatMap(documentIn) : [];
}

function documentIn(value: Json): RetrievedDocument[] {
  if (typeof value === 'string') return [{ id: null, content: value, score: null }];
  if (!isJsonObject(value)) return [];
  // LangChain's constructors keep their fields in `kwargs`.
  const body = isJsonObject(value.kwargs) ? value.kwargs : value;
  const content = CONTENT_FIELDS.map((field) => body[field]).find((text) => typeof text === 'string');
  if (content === undefined) return [];
  const score = body.score ?? (isJsonObject(body.metadata) ? body.metadata.score : undefined);
  const { id } = body;
  return [
    { id: typeof id === 'string' && id !== '' ? id : null, content, score: typeof score === 'number' ? score : null },
  ];
}
