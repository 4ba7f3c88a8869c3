import { isJsonObject, parseJson } from '../../core/json.ts';
import type { FailedCode, Trace } from '../../core/trace.ts';
import { joined } from '../_kit/text.ts';
import { type FailedCall, quoteOf } from './failed-call.ts';
import type { Failure } from './failure.ts';
import { fixOf, type Remedy } from './remedy.ts';

/** A property that code read of a value that was undefined or null. */
interface MissingValue {
  property: string;
  of: string;
  /** Null if the sender did not record the code. */
  code: FailedCode | null;
}

const READ =
  /cannot read propert(?:y|ies) (?:'([\w$.-]{1,60})' )?of (undefined|null)(?: \(reading '([\w$.-]{1,60})'\))?/i;

function missingValue({ steps }: Trace, { step, class: failureClass, text }: Failure): MissingValue | null {
  const [, older, of, newer] = (failureClass === 'schema_mismatch' ? READ.exec(text.message) : null) ?? [];
  const property = newer ?? older;
  return of === undefined || property === undefined ? null : { property, of, code: steps[step]!.failedCode ?? null };
}

/** Whether a failure is known to depend on the data: a missing value may have other causes unless the code shows its origin. */
export function isAboutData(trace: Trace, failure: Failure): boolean {
  const missing = missingValue(trace, failure);
  return failure.class === 'schema_mismatch' && (missing === null || missing.code?.isFromInput === true);
}

/** The end of a sentence about the step; null if its failure is about the data or of another kind. */
export function missingValueText(trace: Trace, failure: Failure): string | null {
  const missing = missingValue(trace, failure);
  if (missing === null || isAboutData(trace, failure)) return null;
  return `stopped because its code read "${missing.property}" of ${missing.of}`;
}

/** The recorded line of the code and what it shows about the value, with a leading space. */
export function failedCodeText(trace: Trace, failure: Failure): string {
  const code = trace.steps[failure.step]!.failedCode;
  if (code === undefined) return '';
  const { line, text, value, isFromInput } = code;
  const shown = ` Line ${line} of its code is "${text}"`;
  if (isFromInput === true) return `${shown}, which reads its input.`;
  return isFromInput === false && value !== null ? `${shown}. Its input does not set ${value}.` : `${shown}.`;
}

/** Where to correct the data, the code, or both; what the trace does not contain is named. */
export function missingValueRemedy(call: FailedCall): Remedy {
  const action = actionOf(call);
  const isData = isAboutData(call.trace, call.failure);
  const { name } = call.failure;
  return {
    action,
    fixes: [
      fixOf(name, {
        fixType: 'workflow_change',
        title: isData ? `Check the data that ${name} is given` : `Correct the code of ${name}`,
        description: action,
        rationale: isData
          ? 'The step was built for data of another shape than it received.'
          : 'The code reads a property of a value that does not exist.',
        change: isData
          ? `before the value is read: convert numbers and dates, give missing fields a default (?? ''), and lead records without them to a branch of their own`
          : 'the code gives the value, or checks that it exists, before it reads a property of it',
      }),
    ],
  };
}

const CODE_LINE = /\[line (\d{1,6})/;

function actionOf(call: FailedCall): string {
  const { trace, failure } = call;
  const { name } = failure;
  const missing = missingValue(trace, failure);
  const line = missing?.code?.line ?? CODE_LINE.exec(failure.text.message)?.[1];
  const place = line === undefined ? name : `line ${line} of ${name}`;
  if (missing === null)
    return `In ${place}, check the value that it reads (${quoteOf(failure)}) before its use.${receivedText(call)}`;
  const { property, code } = missing;
  if (code === null)
    return `In ${place}, check that the value from which "${property}" is read exists before its use. The code of ${name} is not recorded.${inputText(call)}`;
  const value = code.value ?? 'the value';
  if (code.isFromInput === true)
    return `In ${place}, check that ${value} exists before "${property}" is read of it.${receivedText(call)}`;
  return code.isFromInput === false
    ? `Give ${value} a value in the code of ${name} before line ${code.line} reads "${property}" of it ("${code.text}").`
    : `Find out why ${value} is ${missing.of} in ${place} ("${code.text}"), and check that it exists before "${property}" is read of it.${inputText(call)}`;
}

const MAX_FIELDS = 6;

/** The fields of the first item of the input; null if the input is not recorded. */
function inputFields({ trace, failure: { step } }: FailedCall): readonly string[] | null {
  const value = parseJson(trace.steps[step]!.input);
  const first = Array.isArray(value) ? value[0] : value;
  const record = first !== undefined && isJsonObject(first) && isJsonObject(first.json ?? null) ? first.json : first;
  return record === undefined || !isJsonObject(record) ? null : Object.keys(record);
}

/** What the input contains, with a leading space. */
function inputText(call: FailedCall): string {
  const { name } = call.failure;
  const fields = inputFields(call);
  if (fields === null) return ` The input of ${name} is not recorded: record it to see what arrived.`;
  return ` The input of ${name} ${fieldsText(fields)}.`;
}

function fieldsText(fields: readonly string[]): string {
  if (fields.length === 0) return 'is a record without fields';
  return `contains the ${fields.length === 1 ? 'field' : 'fields'} ${joined(fields.slice(0, MAX_FIELDS))}`;
}

/** The fields that the step can read instead, with a leading space. */
function receivedText(call: FailedCall): string {
  const { name } = call.failure;
  const fields = inputFields(call);
  if (fields === null) return inputText(call);
  return ` The input of ${name} ${fieldsText(fields)}: read ${fields.length === 1 ? 'it' : 'one of them'}, or have the step before ${name} provide the missing one.`;
}
