import { applyFixOperation, listFixesOperation } from '../../features/detections/detection.operations.ts';
import type { CommandContext } from '../context.ts';
import { fixText } from '../views/fix-text.ts';
import { printableLine } from '../views/printable.ts';

export async function listFixes(context: CommandContext, detectionId: string): Promise<void> {
  const backend = await context.backend();
  const { items } = await backend.call(listFixesOperation, {
    tenant_id: await backend.tenantId(),
    detection_id: detectionId,
  });
  if (context.options.isJson) context.print.json({ items });
  else context.print.data(`${items.map((fix) => fixText(fix, context)).join('\n\n')}\n`);
}

export async function applyFix(context: CommandContext, detectionId: string, fixId: string): Promise<void> {
  const backend = await context.backend();
  const fix = await backend.call(applyFixOperation, {
    tenant_id: await backend.tenantId(),
    detection_id: detectionId,
    fix_id: fixId,
  });
  if (context.options.isJson) context.print.json(fix);
  else context.print.data(`applied ${fix.applied_at}: ${printableLine(fix.title)}\n`);
}
