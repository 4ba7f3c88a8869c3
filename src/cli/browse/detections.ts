import type { DetectionType } from '../../core/detection.ts';
import type { DetectionOrder } from '../../core/detection-order.ts';
import type { Severity } from '../../core/severity.ts';
import { getDetectionOperation, listDetectionsOperation } from '../../features/detections/detection.operations.ts';
import type { DetectionRecord } from '../../features/detections/detection.record.ts';
import type { CommandContext } from '../context.ts';
import { confidenceCell } from '../views/confidence.ts';
import { detectionText } from '../views/detections-text.ts';
import type { Style } from '../views/style.ts';
import type { Column } from '../views/table.ts';
import { agentCell } from '../views/trace-detections.ts';
import type { PageFlags } from './page-flags.ts';
import { pageInput } from './page-flags.ts';
import { printPage } from './print-page.ts';
import { urlOfDetection } from './urls.ts';

export interface DetectionListFlags extends PageFlags {
  type?: DetectionType;
  minSeverity: Severity;
  trace?: string;
  agent?: string;
  validated?: 'yes' | 'no';
  from?: string;
  to?: string;
  sort: DetectionOrder;
}

export async function listDetections(context: CommandContext, flags: DetectionListFlags): Promise<void> {
  const backend = await context.backend();
  const page = await backend.call(listDetectionsOperation, {
    tenant_id: await backend.tenantId(),
    ...pageInput(flags),
    detection_type: flags.type,
    min_severity: flags.minSeverity,
    trace_id: flags.trace,
    agent_id: flags.agent,
    ...(flags.validated === undefined ? {} : { validated: flags.validated === 'yes' ? 'true' : 'false' }),
    date_from: flags.from,
    date_to: flags.to,
    sort: flags.sort,
  });
  const pages = await backend.pages();
  printPage(context, page, detectionColumns(context.style), 'detections', (one) => urlOfDetection(pages, one));
}

export async function showDetection(context: CommandContext, detectionId: string): Promise<void> {
  const backend = await context.backend();
  const address = { tenant_id: await backend.tenantId(), detection_id: detectionId };
  const detection = await backend.call(getDetectionOperation, address);
  const url = urlOfDetection(await backend.pages(), detection);
  if (context.options.isJson) context.print.json({ ...detection, url });
  else context.print.data(`${detectionText(detection, [], context)}\n\nopen: ${url}\n`);
}

function detectionColumns(style: Style): Column<DetectionRecord>[] {
  return [
    {
      title: 'severity',
      text: ({ severity }) => severity,
      paint: ({ severity }, text) => style.severity(severity, text),
    },
    { title: 'failure', text: (detection) => `${detection.detection_type}/${detection.subtype}` },
    { title: 'agent', text: agentCell, limit: 24 },
    { title: 'step', text: (detection) => (detection.step === null ? '–' : String(detection.step)), align: 'right' },
    { title: 'confidence', text: confidenceCell, align: 'right' },
    { title: 'trace', text: (detection) => detection.trace_id },
    { title: 'detection', text: (detection) => detection.detection_id },
  ];
}
