import { z } from 'zod';
import { AppError } from '../../../core/app-error.ts';
import { SEVERITIES } from '../../../core/severity.ts';
import type { WebAddress } from '../../../core/web-address.ts';
import { getDetectionOperation } from '../../../features/detections/detection.operations.ts';
import type { DetectionRecord } from '../../../features/detections/detection.record.ts';
import { urlOfDetection } from '../../browse/urls.ts';
import { percent } from '../../views/amounts.ts';
import { cut } from '../plain-text.ts';
import { LIMITS, name, optional } from '../text-limits.ts';
import { defineTool, type Show } from '../tool.ts';

const MAX_FIXES = 3;
/** How much of the changes is shown if there are several fixes. */
const EXCERPT = { changes: 3, characters: LIMITS.change as number };
/** How much of the changes is shown for one fix. */
const WHOLE = { changes: 6, characters: LIMITS.wholeChange };

const input = z.strictObject({
  detection_id: z.string().min(1).max(200).describe('det_…, as returned by list_findings and get_trace'),
  fix_id: z.string().max(200).optional().describe('Only this fix, with its changes in full'),
});

const change = z.object({
  format: z.enum(['json-patch', 'unified-diff', 'text']),
  untrusted: z.object({ target: z.string(), before: z.string().nullable(), after: z.string() }),
});

const fix = z.object({
  fix_id: z.string(),
  fix_type: z.string(),
  confidence: z.number().describe('How likely it removes the cause'),
  risk: z.enum(['low', 'medium', 'high']),
  breaking: z.boolean(),
  requires_testing: z.boolean(),
  applied_at: z.string().nullable(),
  changes: z.array(change),
  change_count: z.number().int(),
  untrusted: z.object({ title: z.string(), description: z.string(), rationale: z.string() }),
});
type Fix = z.output<typeof fix>;

const output = z.object({
  detection_id: z.string(),
  detection_type: z.string(),
  subtype: z.string(),
  severity: z.enum(SEVERITIES),
  fixes: z.array(fix),
  fix_count: z.number().int(),
  untrusted: z.object({
    trace_id: z.string(),
    title: z.string(),
    suggested_action: z.string(),
    url: z.string().describe('Opens it in the dashboard'),
  }),
});
type Shown = z.output<typeof output>;

export const suggestFixTool = defineTool({
  name: 'suggest_fix',
  title: 'Suggest a fix',
  description:
    'Returns suggested fixes of a detection, each with its changes as a diff, a JSON patch or text before and after, ' +
    'its risk and why it should help. Changes nothing: weigh it, and make the change yourself where it fits.',
  input,
  output,
  async run(backend, { detection_id, fix_id }) {
    const address = { tenant_id: await backend.tenantId(), detection_id };
    const data = toShown(await backend.call(getDetectionOperation, address), fix_id, await backend.pages());
    return {
      head: headOf(data),
      data,
      dataIs: 'a suggestion derived from trace data',
      lines: linesOf,
      next: nextOf(data, fix_id !== undefined),
    };
  },
});

function toShown(detection: DetectionRecord, fixId: string | undefined, pages: WebAddress): Shown {
  const { detection_id, detection_type, subtype, severity } = detection;
  const fixes = detection.fixes.filter(({ fix_id }) => fixId === undefined || fix_id === fixId);
  if (fixId !== undefined && fixes.length === 0) throw noSuchFix(detection);
  return {
    detection_id,
    detection_type,
    subtype,
    severity,
    fixes: fixes.slice(0, MAX_FIXES).map((each) => toFix(each, fixId === undefined ? EXCERPT : WHOLE)),
    fix_count: fixes.length,
    untrusted: {
      trace_id: detection.trace_id,
      title: name(detection.title),
      suggested_action: cut(detection.suggested_action, LIMITS.paragraph),
      url: urlOfDetection(pages, detection),
    },
  };
}

function noSuchFix({ detection_id, fixes }: DetectionRecord): AppError {
  const known = fixes.map(({ fix_id }) => fix_id).join(', ') || 'none';
  return new AppError('not_found', `There is no such fix for ${detection_id}.`, {
    errors: [{ pointer: '?fix_id', message: `its fixes are: ${known}` }],
  });
}

function toFix(record: DetectionRecord['fixes'][number], room: typeof EXCERPT): Fix {
  const { fix_id, fix_type, confidence, risk, breaking, requires_testing, applied_at, changes } = record;
  return {
    fix_id,
    fix_type,
    confidence,
    risk,
    breaking,
    requires_testing,
    applied_at,
    changes: changes.slice(0, room.changes).map(({ format, target, before, after }) => ({
      format,
      untrusted: {
        target: name(target),
        before: optional(before, LIMITS.change / 2),
        after: cut(after, LIMITS.change),
      },
    })),
    change_count: changes.length,
    untrusted: {
      title: name(record.title),
      description: cut(record.description, LIMITS.paragraph),
      rationale: cut(record.rationale, LIMITS.paragraph),
    },
  };
}

function headOf({ fix_count, fixes, severity, detection_type, subtype }: Shown): string {
  const what = `the ${severity} detection ${detection_type}/${subtype}`;
  if (fix_count === 0) return `There is no ready fix for ${what}; the suggested action is below.`;
  const shown = fixes.length < fix_count ? `; the first ${fixes.length} are shown` : '';
  return `${fix_count === 1 ? 'One fix' : `${fix_count} fixes`} for ${what}${shown}. They are suggestions to weigh, with names and quotes of the trace in them.`;
}

function linesOf({ fixes, untrusted }: Shown, show: Show): string[] {
  return [
    `detection: ${show(untrusted.title)}`,
    `trace: ${show(untrusted.trace_id)}`,
    `open: ${show(untrusted.url)}`,
    ...(fixes.length === 0 ? [`what to do: ${show(untrusted.suggested_action)}`] : []),
    ...fixes.flatMap((one) => fixLines(one, show)),
  ];
}

function fixLines(one: Fix, show: Show): string[] {
  const facts = [
    one.fix_type,
    `${one.risk} risk`,
    `confidence ${percent(one.confidence)}`,
    ...(one.breaking ? ['breaking'] : []),
    ...(one.requires_testing ? ['test it'] : []),
    ...(one.applied_at === null ? [] : [`applied ${one.applied_at}`]),
  ];
  const hidden = one.change_count - one.changes.length;
  return [
    `- ${one.fix_id} "${show(one.untrusted.title)}": ${facts.join(' · ')}`,
    `  what: ${show(one.untrusted.description)}`,
    `  why: ${show(one.untrusted.rationale)}`,
    ...one.changes.flatMap((each) => changeLines(each, show)),
    ...(hidden > 0 ? [`  and ${hidden} more changes`] : []),
  ];
}

function changeLines({ format, untrusted }: z.output<typeof change>, show: Show): string[] {
  const { target, before, after } = untrusted;
  const isPair = format === 'text' && before !== null;
  return [
    `  change of ${show(target)} (${format}):`,
    ...(isPair ? ['  before:', ...show.lines(before), '  after:'] : []),
    ...show.lines(after),
  ];
}

function nextOf({ detection_id, fixes }: Shown, isWhole: boolean): string[] {
  const [first] = fixes;
  if (first === undefined) return [];
  return [
    ...(!isWhole && isCut(fixes) ? ['suggest_fix with a fix_id shows one fix with its changes in full.'] : []),
    `Once it is done, the user can record that with: misstep detections apply ${detection_id} ${first.fix_id}`,
  ];
}

function isCut(fixes: readonly Fix[]): boolean {
  return fixes.some(({ changes, change_count }) => {
    const isLong = changes.some(({ untrusted }) => untrusted.after.length > LIMITS.change);
    return isLong || changes.length < change_count;
  });
}
