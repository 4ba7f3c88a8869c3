import type { z } from 'zod';
import type { Backend } from '../../client/backend.ts';
import type { SessionSource } from '../sessions/session-source.ts';

/** Renders trace text for display: one line, labelled if it looks like an injection. */
export interface Show {
  (text: string): string;
  /** Renders a text of several lines. */
  lines(text: string): string[];
}

/** A tool's result. All text from traces is under a member `untrusted` of `data`. */
export interface ToolResult<Data> {
  /** Description without text from traces. */
  head: string;
  data: Data;
  /** The kind of data, such as `data from a trace`. */
  dataIs: string;
  /** The data as text lines; all of them are shown as data. */
  lines(data: Data, show: Show): string[];
  /** Next steps, without text from traces. */
  next: string[];
}

/** Coding agent sessions: on this machine, or on the server. The caller closes them. */
export type OpenSessions = () => Promise<SessionSource>;

/** One read-only tool. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** For the model: what it returns, and when to call it. */
  description: string;
  input: I;
  output: O;
  /** @throws AppError */
  run(backend: Backend, input: z.output<I>, openSessions: OpenSessions): Promise<ToolResult<z.output<O>>>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of tools with different types
export type AnyTool = Tool<any, any>;

export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: Tool<I, O>): Tool<I, O> {
  return tool;
}
