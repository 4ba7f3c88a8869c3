import type { AnyTool } from './tool.ts';
import { checkTextTool } from './tools/check-text.ts';
import { explainDetectionTool } from './tools/explain-detection.ts';
import { getStepTool } from './tools/get-step.ts';
import { getTraceTool } from './tools/get-trace.ts';
import { listDetectionsTool } from './tools/list-detections.ts';
import { listIssuesTool } from './tools/list-issues.ts';
import { listSessionsTool } from './tools/list-sessions.ts';
import { searchTracesTool } from './tools/search-traces.ts';
import { showSessionTool } from './tools/show-session.ts';
import { suggestFixTool } from './tools/suggest-fix.ts';

/** In the typical order of use. */
export const TOOLS: readonly AnyTool[] = [
  searchTracesTool,
  getTraceTool,
  getStepTool,
  listDetectionsTool,
  explainDetectionTool,
  suggestFixTool,
  listIssuesTool,
  listSessionsTool,
  showSessionTool,
  checkTextTool,
];
