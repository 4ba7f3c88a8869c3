import { canonicalJson, isJsonObject, type Json } from '../../../core/json.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../../core/thresholds.ts';
import { isVolatileName } from '../../_kit/normalise.ts';
import type { ToolUse } from '../calls/calls.ts';

/**
 * The calls, in which nearly equal arguments of calls with the same tool and result are replaced by the arguments of the
 * first one. At the default threshold only equal arguments match, and the list is returned unchanged. A call without a
 * known result is never similar to another: it may have returned the next page.
 */
export function withSimilarArguments(
  uses: readonly ToolUse[],
  { structuralThreshold }: Pick<Thresholds, 'structuralThreshold'>,
): readonly ToolUse[] {
  if (!countsSimilar({ structuralThreshold })) return uses;
  const groups = new Map<string, SimilarGroup[]>();
  return uses.map((use) => {
    if (!isJsonObject(use.arguments) || !(use.hasResult || use.isError)) return use;
    const group = `${use.agent ?? ''}\n${use.name}\n${use.resultHash}`;
    const known = groups.get(group) ?? [];
    groups.set(group, known);
    const leaves = leavesOf(use.arguments);
    const match = known.find((similar) => shareInCommon(similar.leaves, leaves) >= structuralThreshold);
    if (match?.argumentsText === use.argumentsText) return use;
    if (match) return { ...use, argumentsText: match.argumentsText, original: use };
    if (known.length < MAX_GROUPS) known.push({ argumentsText: use.argumentsText, leaves });
    return use;
  });
}

/** Whether unequal arguments may count as the same. */
export function countsSimilar({ structuralThreshold }: Pick<Thresholds, 'structuralThreshold'>): boolean {
  return structuralThreshold < DEFAULT_THRESHOLDS.structuralThreshold;
}

interface SimilarGroup {
  argumentsText: string;
  leaves: ReadonlySet<string>;
}

/** Limit for the number of calls that each call is compared with, so that long runs do not take quadratic time. */
const MAX_GROUPS = 20;
const MAX_LEAVES = 500;

/** Every value with its path, without volatile values. */
function leavesOf(value: Json, path = '', leaves = new Set<string>()): Set<string> {
  if (leaves.size >= MAX_LEAVES) return leaves;
  const members = Array.isArray(value) ? [...value.entries()] : isJsonObject(value) ? Object.entries(value) : [];
  if (members.length === 0) leaves.add(`${path}=${canonicalJson(value)}`);
  for (const [name, member] of members)
    if (typeof name === 'number' || !isVolatileName(name)) leavesOf(member, `${path}/${name}`, leaves);
  return leaves;
}

/** Dice's coefficient of two sets: 1 if they are equal, 0 if they have nothing in common. */
function shareInCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((leaf) => other.has(leaf)).length;
  return (2 * common) / (one.size + other.size);
}
