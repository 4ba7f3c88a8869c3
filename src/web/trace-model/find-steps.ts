import type { TraceColumns } from './columns.ts';

/**
 * Whether a step's name, kind, agent, model or span id contains the text, ignoring case. The server searches the input
 * and output of steps. The dictionaries are searched once, so the call for one step is a look-up.
 */
export function stepFinder(columns: TraceColumns, text: string): (step: number) => boolean {
  const search = text.trim().toLowerCase();
  const matchFlags = (texts: readonly string[]) => Uint8Array.from(texts, (entry) => (contains(entry, search) ? 1 : 0));
  const [names, kinds] = [matchFlags(columns.texts.names), matchFlags(columns.texts.kinds)];
  const [agents, models] = [matchFlags(columns.texts.agents), matchFlags(columns.texts.models)];
  return (step) =>
    names[columns.name[step]!] === 1 ||
    kinds[columns.kind[step]!] === 1 ||
    agents[columns.agent[step]!] === 1 ||
    models[columns.model[step]!] === 1 ||
    columns.spanIds[step]!.startsWith(search);
}

function contains(text: string, search: string): boolean {
  return text.toLowerCase().includes(search);
}
