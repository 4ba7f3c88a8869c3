import type { JsonObject } from '../../core/json.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { counted } from '../_kit/text.ts';
import { wasteOf } from '../_readings/calls/waste.ts';
import { type CompactionReread, compactionRereads } from '../_readings/coding/compactions.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { baseName } from '../_readings/shell/file-path.ts';

const MAX_NAMES = 5;

/** The compactions of a run, with the files that the agent read again after them; null if there were none. */
export function compactionDetection(trace: Trace, models: ModelCatalog): DetectionDraft<'compacted'> | null {
  const compactions = compactionRereads(trace);
  const [first] = compactions;
  if (first === undefined) return null;
  const rereads = compactions.flatMap((each) => each.rereads);
  const steps = [...new Set([...compactions.map(({ step }) => step), ...rereads.map(({ step }) => step)])];
  const waste = wasteOf(trace, [...new Set(rereads.map(({ step }) => step))], models);
  const step = trace.steps[first.step]!;
  return {
    subtype: 'compacted',
    score: 0.5,
    step: first.step,
    steps,
    explanation: `The conversation of ${step.agent ?? step.name} was compacted ${counted(compactions.length, 'time')}, first at step ${first.step}${sizeText(first)}${triggerText(compactions)}. ${rereadText(rereads)}`,
    suggestedAction:
      'Keep what the rest of the session needs in a file of notes, or start a new session for the next task.',
    evidence: [
      ...compactions.slice(0, MAX_NAMES).map(({ step: at, trigger, tokensBefore, tokensAfter, rereads: again }) => ({
        kind: 'compaction',
        spanId: trace.steps[at]!.spanId,
        path: null,
        quote: null,
        value: { trigger, tokens_before: tokensBefore, tokens_after: tokensAfter, read_again: again.length },
      })),
      ...rereads.slice(0, MAX_NAMES).flatMap(({ step: again, path, readAt }) =>
        [readAt, again].map((at) => ({
          kind: 'file_read',
          spanId: trace.steps[at]!.spanId,
          path: null,
          quote: null,
          value: at === again ? readAgain(path, readAt) : readBefore(path, again),
        })),
      ),
    ],
    ...(rereads.length === 0 ? {} : waste),
    fixes: [
      checkFix('config_change', {
        title: 'Keep the essentials outside of the conversation',
        target: `instructions of ${step.agent ?? step.name}`,
        description:
          'Have the agent write decisions, file names and open points to a file of notes that it reads after a compaction.',
        after:
          'Before the context is full, write decisions, relevant files and open points to NOTES.md, and read it after a compaction.',
        why: 'A summary leaves out details that the rest of the session needs.',
      }),
    ],
    key: 'compacted',
  };
}

function readAgain(file: string, readAt: number): JsonObject {
  return { file, read_before_at_step: readAt };
}

function readBefore(file: string, again: number): JsonObject {
  return { file, read_again_at_step: again };
}

function sizeText({ tokensBefore }: CompactionReread): string {
  return tokensBefore === null ? '' : ` at ${tokensBefore.toLocaleString('en-US')} tokens`;
}

/** What triggered the compaction, if the program records it. */
function triggerText(compactions: readonly CompactionReread[]): string {
  const triggers = [...new Set(compactions.map(({ trigger }) => trigger))];
  if (triggers.length !== 1 || triggers[0] === null) return '';
  if (triggers[0] === 'auto') return ', triggered automatically';
  return triggers[0] === 'manual' ? ', triggered by the user' : '';
}

function rereadText(rereads: CompactionReread['rereads']): string {
  if (rereads.length === 0) return 'No file that was read before it was read again.';
  const paths = [...new Set(rereads.map(({ path }) => path))];
  const bases = paths.map(baseName);
  // Files of the same name are shown with their folder.
  const names = paths.map((path, at) =>
    bases.filter((base) => base === bases[at]).length === 1 ? bases[at]! : path.split('/').slice(-2).join('/'),
  );
  const others = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  const [files, were] = [counted(names.length, 'file'), names.length === 1 ? 'was' : 'were'];
  return `Afterwards, ${files} ${were} read again: ${names.slice(0, MAX_NAMES).join(', ')}${others}.`;
}
