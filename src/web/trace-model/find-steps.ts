import type { TraceColumns } from './columns.ts';

/**
 * Whether a step's name, kind, agent, model or span id contains the text, in any case. Texts of a step (its input and
 * output) are searched by the server. The dictionaries are searched once, so a call for one step is a look-up.
 */
export function stepFinder(columns: TraceColumns, text: string): (step: number) => boolean {
  const wanted = text.trim().toLowerCase();
  const places = (texts: readonly string[]) => Uint8Array.from(texts, (one) => (contains(one, wanted) ? 1 : 0));
  const [names, kinds] = [places(columns.texts.names), places(columns.texts.kinds)];
  const [agents, models] = [places(columns.texts.agents), places(columns.texts.models)];
  return (step) =>
    names[columns.name[step]!] === 1 ||
    kinds[columns.kind[step]!] === 1 ||
    agents[columns.agent[step]!] === 1 ||
    models[columns.model[step]!] === 1 ||
    columns.spanIds[step]!.startsWith(wanted);
}

function contains(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted);
}
