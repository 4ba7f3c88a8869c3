import type { Trace } from '../../core/trace.ts';
import { type CallOutcome, outcomeOf } from '../_conduct/call-outcome.ts';
import { folderOf } from '../_conduct/made-here.ts';
import { callsOf } from '../_conduct/shell-uses.ts';
import { isAskedFor, isForbidden, isLanguageKnown, isPlaceOfUser, isWrittenByUser } from '../_conduct/user-request.ts';
import type { ToolUse } from '../_kit/calls.ts';
import type { ShellCall } from '../_kit/shell-calls.ts';
import type { Deed, Scene } from './deed.ts';

/** A deed that no message of the user asks for, and how far it came. */
export interface DeedDone {
  deed: Deed;
  use: ToolUse;
  outcome: CallOutcome;
  /** Why it may have been asked for all the same; null without such a sign. */
  doubt: Doubt | null;
}

/** `language`: the words for deeds do not cover the user's language. `named`: the user wrote the place that it hits. */
export type Doubt = 'language' | 'named';

/** None where a user asked for it, or where the call may still be refused. */
export function doneUnasked({ trace, use }: Scene, deed: Deed | null): DeedDone[] {
  if (deed === null || isAskedFor(trace, use.step, deed.asked)) return [];
  if ([deed.quote, use.command ?? ''].some((text) => isWrittenByUser(trace, use.step, text))) return [];
  const outcome = outcomeOf(trace, use);
  return outcome === 'open' && !trace.isSettled ? [] : [{ deed, use, outcome, doubt: doubtAbout(trace, use, deed) }];
}

function doubtAbout(trace: Trace, use: ToolUse, deed: Deed): Doubt | null {
  if (!isLanguageKnown(trace, use.step)) return 'language';
  // A folder to work in is named without a wish to lose it.
  const isNamed = !deed.isGrave && isPlaceOfUser(trace, use.step, deed.places ?? []);
  return isNamed && !isForbidden(trace, use.step, { deed: deed.asked.deed, objects: deed.places! }) ? 'named' : null;
}

/** The first deed among the programs that a call to a shell starts, each seen in the folder it runs in. */
export function deedOfCommand(
  scene: Scene,
  rules: readonly ((call: ShellCall, scene: Scene) => Deed | null)[],
): DeedDone[] {
  for (const call of callsOf(scene.use)) {
    const here = { ...scene, directory: folderOf(call, scene.directory) };
    const deed = rules.map((rule) => rule(call, here)).find((found) => found !== null) ?? null;
    const done = doneUnasked(here, deed);
    if (done.length > 0) return done;
  }
  return [];
}

/** A run that does the like hundreds of times is told of as well by the first of them. */
const MOST_DEEDS = 50;

/** The deeds of a run, the first ones of too many. */
export function firstDeeds(uses: readonly ToolUse[], deedsOf: (use: ToolUse) => DeedDone[]): DeedDone[] {
  const done: DeedDone[] = [];
  for (const use of uses) {
    if (done.length >= MOST_DEEDS) break;
    done.push(...deedsOf(use));
  }
  return done;
}
