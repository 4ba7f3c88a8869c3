/** Where a text came from: a person speaks to the assistant, or data passes through it. */
export type Channel = 'user' | 'data';

/** How programs, logs, tables and markup begin a line; prose does not. */
const MACHINE_LINE =
  /^\s*(?:\||<[a-z!/?]|[{}[\]]|Traceback |File "|at [\w.$<]+\(|[\w.]+(?:Error|Warning|Exception):|[-+*/#]{3,}|\d+ \||>>> |In \[\d)/i;
/** The head and the frames of a stack trace. A user who asks about one pastes it together with its surroundings. */
const STACK_LINE = /^\s*(?:Traceback \(most recent|File ".{1,200}", line \d|at [\w.$<>]{1,120}\(.{1,200}:\d)/;

/** The channel of a text. A text next to a task, or one that a program wrote, is data; any other text is a user message. */
export function channelOf(text: string, hasTask: boolean): Channel {
  if (hasTask) return 'data';
  const lines = text.split('\n').slice(0, 60);
  if (lines.filter((line) => STACK_LINE.test(line)).length >= 2) return 'data';
  const machine = lines.filter((line) => MACHINE_LINE.test(line)).length;
  return machine >= 2 && machine * 5 >= lines.length ? 'data' : 'user';
}
