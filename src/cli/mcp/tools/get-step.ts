import { z } from 'zod';
import { AppError } from '../../../core/app-error.ts';
import type { WebAddress } from '../../../core/web-address.ts';
import { listSpansOperation } from '../../../features/traces/trace.operations.ts';
import type { SpanRecord } from '../../../features/traces/trace.record.ts';
import { jsonText, shownStep, stepSummary } from '../step-summary.ts';
import { LIMITS, name } from '../text-limits.ts';
import { defineTool, type Show } from '../tool.ts';

const PARTS = ['input', 'output', 'tool_arguments', 'tool_result', 'error', 'attributes'] as const;
type Part = (typeof PARTS)[number];

const input = z.strictObject({
  trace_id: z.string().min(1).max(200),
  step: z.number().int().min(0).describe('Zero-based, as in get_trace and detections'),
  part: z.enum(PARTS).optional().describe('Part to read; default: the output, or the error of a failed step'),
  from_character: z.number().int().min(0).default(0).describe('next_character of the previous result, to continue'),
});

const output = z.object({
  step: z.number().int(),
  kind: z.string(),
  part: z.enum(PARTS),
  characters: z.record(z.enum(PARTS), z.number().int()).describe('How long each part is'),
  from_character: z.number().int(),
  next_character: z.number().int().nullable().describe('Pass it as from_character to continue; null at the end'),
  untrusted: stepSummary.shape.untrusted.pick({ agent: true, model: true, tool: true }).extend({
    trace_id: z.string(),
    url: z.string().describe('Opens it in the dashboard'),
    name: z.string(),
    text: z.string(),
  }),
});
type Shown = z.output<typeof output>;

export const getStepTool = defineTool({
  name: 'get_step',
  title: 'Read a step',
  description:
    'Reads one part of one step of a trace in full, up to 6,000 characters at a time: the input, the output, ' +
    "a tool's arguments and result, the error, or the raw attributes.",
  input,
  output,
  async run(backend, { trace_id, step, part, from_character }) {
    const address = { tenant_id: await backend.tenantId(), trace_id };
    const window = await backend.call(listSpansOperation, { ...address, from_step: step, count: 1 });
    const [span] = window.items;
    if (span === undefined) throw noSuchStep(step, window.total);
    const data = toShown(await backend.pages(), window.trace_id, span, {
      step,
      part: part ?? defaultPart(span),
      from: from_character,
    });
    return { head: headOf(data), data, dataIs: 'data from a trace', lines: linesOf, next: nextOf(data) };
  },
});

function noSuchStep(step: number, count: number): AppError {
  const message = count === 0 ? 'the trace has no steps' : `the trace has steps 0 to ${count - 1}`;
  return new AppError('not_found', `There is no step ${step}.`, { errors: [{ pointer: '?step', message }] });
}

/** The first part that has text. The output is the most informative, but a failed or blocked step may have none. */
function defaultPart(span: SpanRecord): Part {
  const texts = textsOf(span);
  const inOrder = ['output', 'tool_result', 'error', 'input', 'tool_arguments', 'attributes'] as const;
  return inOrder.find((part) => texts[part] !== '') ?? 'output';
}

function toShown(
  pages: WebAddress,
  traceId: string,
  span: SpanRecord,
  { step, part, from }: { step: number; part: Part; from: number },
): Shown {
  const texts = textsOf(span);
  const text = texts[part].slice(from, from + LIMITS.chunk);
  const end = from + text.length;
  const { kind, untrusted } = shownStep(span, step);
  const { agent, model, tool } = untrusted;
  return {
    step,
    kind,
    part,
    characters: Object.fromEntries(PARTS.map((one) => [one, texts[one].length])) as Record<Part, number>,
    from_character: from,
    next_character: end < texts[part].length ? end : null,
    untrusted: {
      agent,
      model,
      tool,
      trace_id: traceId,
      name: name(span.name),
      text,
      url: pages.trace({ traceId, spanId: span.span_id }),
    },
  };
}

function textsOf({ step, attributes }: SpanRecord): Record<Part, string> {
  return {
    input: step?.input ?? '',
    output: step?.output ?? '',
    tool_arguments: jsonText(step?.tool?.arguments),
    tool_result: jsonText(step?.tool?.result),
    error: step?.error ? `${step.error.type} ${step.error.message}`.trim() : '',
    attributes: JSON.stringify(attributes),
  };
}

function headOf({ step, kind, part, characters, from_character, untrusted }: Shown): string {
  const whole = characters[part];
  if (whole === 0) return `Step ${step} (${kind}) has no ${part}.`;
  const shown = `characters ${from_character} to ${from_character + untrusted.text.length} of ${whole}`;
  return `The ${part} of step ${step} (${kind}), ${untrusted.text.length === whole ? 'in full' : shown}.`;
}

function linesOf({ untrusted }: Shown, show: Show): string[] {
  const { trace_id, name: title, agent, model, tool, text, url } = untrusted;
  const facts = [
    `trace ${show(trace_id)}`,
    `"${show(title)}"`,
    ...(agent === null ? [] : [`agent ${show(agent)}`]),
    ...(tool === null ? [] : [`tool ${show(tool)}`]),
    ...(model === null ? [] : [show(model)]),
    show(url),
  ];
  return [facts.join(' · '), ...(text === '' ? [] : show.lines(text))];
}

function nextOf({ part, characters, next_character }: Shown): string[] {
  const others = PARTS.filter((one) => one !== part && characters[one] > 0);
  return [
    ...(next_character === null ? [] : [`More: call get_step again with from_character ${next_character}.`]),
    ...(others.length === 0
      ? []
      : [`Other parts: ${others.map((one) => `${one} (${characters[one]})`).join(', ')} characters.`]),
  ];
}
