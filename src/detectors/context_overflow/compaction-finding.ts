import type { ModelCatalog } from '../../core/model-catalog.ts';
import type { Trace } from '../../core/trace.ts';
import { type CompactionReread, compactionRereads } from '../_coding/compactions.ts';
import { checkFix } from '../_conduct/remedy.ts';
import type { Finding } from '../_kit/define.ts';
import { baseName } from '../_kit/file-path.ts';
import { counted } from '../_kit/text.ts';
import { wasteOf } from '../_kit/waste.ts';

const MOST_NAMES = 5;

/** The compactions of a run, with what the agent read again because of them; null where there was none. */
export function compactionFinding(trace: Trace, models: ModelCatalog): Finding<'compacted'> | null {
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
    explanation: `The conversation of ${step.agent ?? step.name} was compacted ${counted(compactions.length, 'time')}, first at step ${first.step}${sizeText(first)}. ${rereadText(rereads)}`,
    suggestedAction:
      'Keep what the rest of the session needs in a file of notes, or start a new session for the next task.',
    evidence: compactions
      .slice(0, MOST_NAMES)
      .map(({ step: at, trigger, tokensBefore, tokensAfter, rereads: again }) => ({
        kind: 'compaction',
        spanId: trace.steps[at]!.spanId,
        path: null,
        quote: null,
        value: { trigger, tokens_before: tokensBefore, tokens_after: tokensAfter, read_again: again.length },
      })),
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

function sizeText({ tokensBefore }: CompactionReread): string {
  return tokensBefore === null ? '' : ` at ${tokensBefore.toLocaleString('en-US')} tokens`;
}

function rereadText(rereads: CompactionReread['rereads']): string {
  if (rereads.length === 0) return 'No file from before was read again.';
  const names = [...new Set(rereads.map(({ path }) => baseName(path)))];
  const others = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  const were = rereads.length === 1 ? 'was' : 'were';
  return `Afterwards ${counted(rereads.length, 'file')} from before ${were} read again: ${names.slice(0, MOST_NAMES).join(', ')}${others}.`;
}
