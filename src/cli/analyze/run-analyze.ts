import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { mergeSpans } from '../../core/merge-spans.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import { SEVERITIES, type Severity } from '../../core/severity.ts';
import type { Decoded, Rejection } from '../../core/span.ts';
import { VERSION } from '../../core/version.ts';
import { decodeAny } from '../../formats/detect/detect-format.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import { redactMessage } from '../../formats/redaction/redact-message.ts';
import { createRedactor } from '../../formats/redaction/redactor.ts';
import type { CommandContext } from '../context.ts';
import { errorLines } from '../error-lines.ts';
import { EXIT } from '../exit-code.ts';
import type { Io } from '../io.ts';
import { counted } from '../views/amounts.ts';
import { printableLine } from '../views/printable.ts';
import { FAIL_ON, type FailOn, hasFailure, type TraceDetections, withFloor } from '../views/trace-detections.ts';
import { type CommandJudge, openJudge } from './command-judge.ts';
import { detectionsOfSpans, fileDetection, questionsOfSpans } from './detections-of-spans.ts';
import { findStoredTrace } from './find-stored-trace.ts';
import { type Input, readInputFile, readStandardInput } from './read-input.ts';
import { renderDetections } from './render-detections.ts';
import { assertHasMessages, groupParts } from './session-parts.ts';

export interface AnalyzeFlags {
  format?: 'text' | 'json' | 'markdown' | 'sarif' | 'junit';
  failOn?: FailOn;
  minSeverity?: Severity;
  json?: boolean;
  records?: string;
  predictions?: string;
  judge?: boolean;
  preview?: boolean;
}

/** Analyzes all arguments. An unreadable one is reported and changes the exit code; the others are still analyzed. */
export async function runAnalyze(
  context: CommandContext,
  inputs: readonly string[],
  flags: AnalyzeFlags,
): Promise<number> {
  const floors = toFloors(flags, context.io.env);
  const models = createModelCatalog();
  const judge = flags.judge ? openJudge(context) : null;
  const all: TraceDetections[] = [];
  let hasUnreadable = false;
  for (const parts of inputs.length === 0 ? [['-']] : groupParts(inputs)) {
    try {
      all.push(...(await analyzeOne(context, parts, models, judge, flags.preview === true)));
    } catch (error) {
      const isInputError = error instanceof AppError && (error.code === 'usage' || error.code === 'not_found');
      if (!isInputError) throw error;
      hasUnreadable = true;
      for (const line of errorLines(error, false)) context.print.warn(line);
    }
  }
  return all.length === 0 ? EXIT.usage : report(context, all, { ...floors, format: flags.format }, hasUnreadable);
}

interface Floors {
  failOn: FailOn;
  minSeverity: Severity;
}

/** Flags, then environment, then defaults. @throws AppError `usage` */
function toFloors({ failOn, minSeverity }: AnalyzeFlags, env: Io['env']): Floors {
  return {
    failOn: failOn ?? oneOf(FAIL_ON, 'MISSTEP_FAIL_ON', env, 'warning'),
    minSeverity: minSeverity ?? oneOf(SEVERITIES, 'MISSTEP_MIN_SEVERITY', env, 'info'),
  };
}

function oneOf<Value extends string>(values: readonly Value[], name: string, env: Io['env'], otherwise: Value): Value {
  const text = env[name] || otherwise;
  const found = values.find((value) => value === text);
  if (found === undefined)
    throw new AppError('usage', `${name} is one of ${values.join(', ')}, not ${JSON.stringify(text)}.`);
  return found;
}

function report(
  context: CommandContext,
  all: readonly TraceDetections[],
  wanted: Floors & Pick<AnalyzeFlags, 'format'>,
  hasUnreadable: boolean,
): number {
  const { failOn, minSeverity } = wanted;
  const shown = all.map((traceDetections) => withFloor(traceDetections, minSeverity));
  const format = wanted.format ?? (context.options.isJson ? 'json' : 'text');
  const { style, width } = context;
  context.print.data(renderDetections(shown, { format, failOn, style, width, version: VERSION }));
  for (const { crashed } of all) {
    for (const { type, message } of crashed)
      context.print.warn(printableLine(`misstep: detector ${type} failed: ${message}`));
  }
  if (hasUnreadable) return EXIT.usage;
  return hasFailure(all, failOn) ? EXIT.problems : EXIT.clean;
}

async function analyzeOne(
  context: CommandContext,
  parts: readonly string[],
  models: ModelCatalog,
  judge: CommandJudge | null,
  hasPreviews: boolean,
): Promise<TraceDetections[]> {
  const input = parts[0]!;
  if (input === '-') return analyzeBodies(context, [await readStandardInput(context.io)], models, judge, hasPreviews);
  const isFile = existsSync(resolve(context.io.cwd, input));
  if (!isFile && looksLikeTraceId(input)) {
    if (judge !== null)
      throw new AppError('usage', '--judge works on files only; the server judges its stored traces.');
    return [await findStoredTrace(context, input)];
  }
  const bodies = parts.map((part) => readInputFile(part, context.io));
  return analyzeBodies(context, bodies, models, judge, hasPreviews);
}

/** A name without folder and extension may be a trace id; anything else is a missing file. */
function looksLikeTraceId(input: string): boolean {
  return /^[^\s/\\.]{1,128}$/.test(input);
}

/** @param bodies parts of the same traces */
async function analyzeBodies(
  { io, print }: CommandContext,
  bodies: readonly Input[],
  models: ModelCatalog,
  judge: CommandJudge | null,
  hasPreviews: boolean,
): Promise<TraceDetections[]> {
  const read = bodies.flatMap(({ body, source }) => {
    const { spans, rejections } = readSpans(body, source, io.clock.now());
    warnOfRejectedRecords(rejections, source, print.warn);
    return spans;
  });
  const source = bodies.map((body) => body.source).join(', ') || null;
  if (read.length === 0) throw new AppError('usage', `${source ?? 'standard input'} contains no trace.`);
  assertHasMessages(read, source);
  const spans = bodies.length > 1 ? mergeSpans(read) : read;
  const tenant = fileDetection(hasPreviews);
  const answers = judge === null ? undefined : await judge.askAll(questionsOfSpans(spans, models, tenant));
  return detectionsOfSpans(spans, { source, models, nowMs: io.clock.now(), answers, tenant });
}

/** The spans of a body, redacted like spans that a server stores, so that both analyze the same texts. */
export function readSpans(body: Buffer, source: string | null, receivedAtMs: number): Decoded {
  const decoded = decode(body, source, receivedAtMs);
  createRedactor({ secrets: true, personalData: false, salt: '' }).redactSpans(decoded.spans);
  return decoded;
}

function decode(body: Buffer, source: string | null, receivedAtMs: number): Decoded {
  try {
    return decodeAny(body, { receivedAtMs });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('usage', `${source ?? 'standard input'}: ${error.message}`, {
      errors: error.errors,
      cause: error,
    });
  }
}

const SHOWN_REJECTED_KINDS = 10;

function warnOfRejectedRecords(
  rejections: readonly Rejection[],
  source: string | null,
  warn: (line: string) => void,
): void {
  const from = source ?? 'standard input';
  const kinds = [...Map.groupBy(rejections, ({ message }) => message)];
  for (const [message, [first, ...others]] of kinds.slice(0, SHOWN_REJECTED_KINDS)) {
    const place = first!.pointer === '' ? 'the body' : redactMessage(first!.pointer);
    const more = others.length === 0 ? '' : ` (and ${counted(others.length, 'more record')} for the same reason)`;
    warn(printableLine(`misstep: ${from}: ${place} was left out: ${redactMessage(message)}${more}`));
  }
  const hidden = kinds.slice(SHOWN_REJECTED_KINDS).reduce((sum, [, alike]) => sum + alike.length, 0);
  if (hidden > 0) warn(`misstep: ${from}: ${counted(hidden, 'more record')} omitted`);
}
