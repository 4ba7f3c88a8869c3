import { exitCodeIn } from '../../coding-session/exit-code.ts';
import { objectOf, textOf } from '../../coding-session/fields.ts';
import type { HookDialect } from './hook-dialect.ts';

export const QWEN_CODE: HookDialect = {
  framework: 'qwen-code',
  hasNoIds: false,
  isOf: (record) => /[\\/]\.qwen[\\/]/.test(textOf(record.transcript_path) ?? ''),
  toCommon(record) {
    // Tool results are sent to the model as a prompt without text, under the id of the user's prompt.
    if (record.hook_event_name === 'UserPromptSubmit' && textOf(record.prompt) === null)
      return { ...record, hook_event_name: 'ToolResultsSubmit' };
    const shown = textOf(record.error) ?? textOf(objectOf(record.tool_response).llmContent);
    const code = record.tool_name === 'run_shell_command' && shown !== null ? exitCodeIn(shown) : null;
    return code === null ? record : { ...record, exit_code: code };
  },
};
