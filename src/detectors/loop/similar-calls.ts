import { canonicalJson, isJsonObject, type Json } from '../../core/json.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../core/thresholds.ts';
import type { ToolUse } from '../_kit/calls.ts';
import { isVolatileName } from '../_kit/normalise.ts';

/**
 * The same calls, where those of one tool that got the same answer and whose arguments are nearly the same share the
 * arguments of the first of them. At the default threshold only equal arguments are the same, and the list comes back as
 * it is. A call whose answer is not known is never like another: it may have turned a page.
 */
export function withSimilarArguments(
  uses: readonly ToolUse[],
  { structuralThreshold }: Pick<Thresholds, 'structuralThreshold'>,
): readonly ToolUse[] {
  if (!countsSimilar({ structuralThreshold })) return uses;
  const kinds = new Map<string, Kind[]>();
  return uses.map((use) => {
    if (!isJsonObject(use.arguments) || !(use.hasResult || use.isError)) return use;
    const group = `${use.agent ?? ''}\n${use.name}\n${use.resultHash}`;
    const known = kinds.get(group) ?? [];
    kinds.set(group, known);
    const leaves = leavesOf(use.arguments);
    const alike = known.find((kind) => shareInCommon(kind.leaves, leaves) >= structuralThreshold);
    if (alike) return { ...use, argumentsText: alike.argumentsText };
    if (known.length < MOST_KINDS) known.push({ argumentsText: use.argumentsText, leaves });
    return use;
  });
}

/** Whether arguments that are not equal may count as the same. */
export function countsSimilar({ structuralThreshold }: Pick<Thresholds, 'structuralThreshold'>): boolean {
  return structuralThreshold < DEFAULT_THRESHOLDS.structuralThreshold;
}

interface Kind {
  argumentsText: string;
  leaves: ReadonlySet<string>;
}

/** Each call is held against so many of its tool and answer: a long run costs no quadratic time. */
const MOST_KINDS = 20;
const MOST_LEAVES = 500;

/** Every value with the way to it; what tells no two requests apart is omitted. */
function leavesOf(value: Json, path = '', leaves = new Set<string>()): Set<string> {
  if (leaves.size >= MOST_LEAVES) return leaves;
  const members = Array.isArray(value) ? [...value.entries()] : isJsonObject(value) ? Object.entries(value) : [];
  if (members.length === 0) leaves.add(`${path}=${canonicalJson(value)}`);
  for (const [name, member] of members)
    if (typeof name === 'number' || !isVolatileName(name)) leavesOf(member, `${path}/${name}`, leaves);
  return leaves;
}

/** Dice's coefficient of two sets: 1 where they are equal, 0 where they have nothing in common. */
function shareInCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((leaf) => other.has(leaf)).length;
  return (2 * common) / (one.size + other.size);
}
