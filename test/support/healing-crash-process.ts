import { DEFAULT_CONFIG } from '../../src/app/config.ts';
import { openApp } from '../../src/app/open-app.ts';
import { createConfigFileExecutor } from '../../src/platforms/healing/config-file.executor.ts';
import type { AnyExecutor } from '../../src/platforms/healing/executor.ts';

/** When a process that executes an operation is killed. */
export type KillTime = 'before the write' | 'after the write';

/** Changes files like `config_file`; the process is killed before or after the write if a moment is given. */
export function fileExecutor(root: string, killTime: KillTime | null): AnyExecutor {
  const executor = createConfigFileExecutor([{ folder: root, tenantId: null }]);
  return {
    ...executor,
    name: 'killed_file',
    async write(scope, target, content, expected) {
      if (killTime !== 'before the write') await executor.write(scope, target, content, expected);
      if (killTime !== null) process.kill(process.pid, 'SIGKILL');
    },
  };
}

/** Executes, or rolls back, one operation of a store: `dataFolder root tenantId operationId step moment now`. */
if (import.meta.main) {
  const [dataFolder, root, tenantId, operationId, step, killTime, now] = process.argv.slice(2) as string[];
  const app = await openApp(
    { ...DEFAULT_CONFIG, dataFolder: dataFolder! },
    { clock: { now: () => Number(now) }, healingExecutors: [fileExecutor(root!, killTime as KillTime)] },
  );
  await app.services.healing[step as 'execute' | 'rollback'](tenantId!, operationId!);
}
