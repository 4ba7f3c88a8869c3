import { createRedactor } from './redactor.ts';

/** For messages of errors and logs, which may quote sender data. They are never joined, so no salt is needed. */
export const { redactText: redactMessage } = createRedactor({ secrets: true, personalData: false, salt: '' });

/** A rejection or field error, whose pointer contains keys of the body. */
export function redactFieldError<Error extends { pointer: string; message: string }>(error: Error): Error {
  const [pointer, message] = [redactMessage(error.pointer), redactMessage(error.message)];
  return pointer === error.pointer && message === error.message ? error : { ...error, pointer, message };
}
