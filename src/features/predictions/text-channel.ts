/** Where a text came from: a person speaks to the assistant, or data passes through it. */
export type Channel = 'user' | 'data';

/** How programs, logs, tables and markup begin a line; prose does not. */
const MACHINE_LINE = /^\s*(?:\||<[a-z!/?]|[{}[\]]|Traceback |File "|at [\w.$<]+\(|\w+Error:|[-+*/#]{3,}|\d+ \|)/i;

/** Of a text alone only its looks tell: beside a task it is what the task is about; what a machine wrote is data. */
export function channelOf(text: string, hasTask: boolean): Channel {
  if (hasTask) return 'data';
  const lines = text.split('\n').slice(0, 40);
  const machine = lines.filter((line) => MACHINE_LINE.test(line)).length;
  return machine >= 2 && machine * 5 >= lines.length ? 'data' : 'user';
}
