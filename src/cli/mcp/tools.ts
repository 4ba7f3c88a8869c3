import type { AnyTool } from './tool.ts';
import { checkTextTool } from './tools/check-text.ts';
import { explainFindingTool } from './tools/explain-finding.ts';
import { getStepTool } from './tools/get-step.ts';
import { getTraceTool } from './tools/get-trace.ts';
import { listFindingsTool } from './tools/list-findings.ts';
import { listIssuesTool } from './tools/list-issues.ts';
import { listSessionsTool } from './tools/list-sessions.ts';
import { searchTracesTool } from './tools/search-traces.ts';
import { showSessionTool } from './tools/show-session.ts';
import { suggestFixTool } from './tools/suggest-fix.ts';

/** In the order in which an agent would ask. */
export const TOOLS: readonly AnyTool[] = [
  searchTracesTool,
  getTraceTool,
  getStepTool,
  listFindingsTool,
  explainFindingTool,
  suggestFixTool,
  listIssuesTool,
  listSessionsTool,
  showSessionTool,
  checkTextTool,
];
