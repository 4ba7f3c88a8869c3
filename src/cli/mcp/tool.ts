import type { z } from 'zod';
import type { Backend } from '../../client/backend.ts';
import type { SessionSource } from '../sessions/session-source.ts';

/** Gives a text of a trace the form in which it may be shown: in one line, labelled where it looks like an injection. */
export interface Show {
  (text: string): string;
  /** The same with its own line ends. */
  lines(text: string): string[];
}

/** What a tool found. Every word that a trace said stands under a member `untrusted` of `data`. */
export interface Answer<Data> {
  /** What this is, in words of ours. */
  head: string;
  data: Data;
  /** What the data is, such as `data from a trace`. */
  dataIs: string;
  /** The data as lines for a reader; all of them are shown as data. */
  lines(data: Data, show: Show): string[];
  /** How to go on, in words of ours. */
  next: string[];
}

/** Sessions of coding agents: on this machine, or on the server. The caller that opens them closes them. */
export type OpenSessions = () => Promise<SessionSource>;

/** One question that an agent may ask. It never changes anything. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** For the model: what it tells, and when to ask it. */
  description: string;
  input: I;
  output: O;
  /** @throws AppError */
  answer(backend: Backend, input: z.output<I>, openSessions: OpenSessions): Promise<Answer<z.output<O>>>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of tools of all shapes
export type AnyTool = Tool<any, any>;

export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: Tool<I, O>): Tool<I, O> {
  return tool;
}
