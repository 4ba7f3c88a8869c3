import { type Command, Option } from 'commander';
import { CONVERSATION_FORMATS } from '../../core/conversation.ts';
import type { AddCommand } from '../add-command.ts';
import type { ConversationListFlags } from '../browse/conversations.ts';
import { addPageFlags } from '../browse/page-flags.ts';

export const addConversations: AddCommand = (program, start) => {
  const conversations = program.command('conversations').description('Show stored conversations.');
  addPageFlags(conversations.command('list').description('List conversations, newest first.'))
    .addOption(new Option('--format <format>', 'only these').choices(CONVERSATION_FORMATS))
    .option('--from <date>', 'started at or after, RFC 3339')
    .option('--to <date>', 'started before, RFC 3339')
    .action(async (flags: ConversationListFlags, command: Command) => {
      await start(
        command,
        async (context) => void (await (await import('../browse/conversations.ts')).listConversations(context, flags)),
      );
    });
  conversations
    .command('show')
    .description('Show the turns and detections of one conversation.')
    .argument('<conversation-id>')
    .action(async (conversationId: string, _flags: object, command: Command) => {
      await start(
        command,
        async (context) =>
          void (await (await import('../browse/conversations.ts')).showConversation(context, conversationId)),
      );
    });
};
