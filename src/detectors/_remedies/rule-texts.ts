/** The beginning of prompt rules of several detectors. */
export const VERBATIM_RULE =
  'Give links, names, numbers and quotes only as a document or tool result of this conversation shows them';
