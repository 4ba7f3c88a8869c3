import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { toolUses } from '../calls/calls.ts';
import { isRunner } from '../calls/tool-roles.ts';
import { isCodingSession } from './coding-session.ts';

/**
 * Whether the agents of a run had a tool that runs commands or code: a shell was called, a tool with a command argument was
 * offered, or the run is a session of a coding agent (all of them have one).
 */
export const canRunCommands = memoizeByRef(
  (trace: Trace): boolean =>
    isCodingSession(trace) ||
    trace.toolDefinitions.some(isRunner) ||
    toolUses(trace).some(({ command }) => command !== null),
);
