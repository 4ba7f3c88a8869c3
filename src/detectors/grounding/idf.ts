let table: Map<string, number> = new Map();
let unknown = 8;
export function setIdf(t: Map<string, number>, u: number): void { table = t; unknown = u; }
export function idfOf(key: string): number { return table.get(key) ?? unknown; }
