import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { getSchemaSerdePlugin } from '@smithy/core/schema';
import { isRecord } from './item.ts';

/** A command of the SDK. */
export type SdkCommand = Parameters<DynamoDBDocumentClient['send']>[0];

type Config = DynamoDBDocumentClient['config'];
type Stack = DynamoDBDocumentClient['middlewareStack'];
type Handler = (command: object) => Promise<{ output: object }>;

/** A command of `@aws-sdk/client-dynamodb`, without the types of its input and output. */
interface ClientCommand {
  resolveMiddleware: (stack: Stack, config: Config, options: undefined) => Handler;
}

/** A command of the document client contains the command that is sent. The SDK's own type hides both members. */
interface DocumentCommand {
  clientCommand: ClientCommand;
  addMarshallingMiddleware: (config: Config) => void;
}

const isOfClient = (command: object): command is ClientCommand => 'resolveMiddleware' in command;
const isOfDocument = (command: object): command is DocumentCommand => 'clientCommand' in command;

/** The command that is sent: that of `@aws-sdk/client-dynamodb`. */
export const sentCommand = (command: object): object => (isOfDocument(command) ? command.clientCommand : command);

/** The middleware keeps the command for which it was joined: an empty one, so that no input stays in memory. */
function handlerOf({ constructor }: SdkCommand, stack: Stack, config: Config): Handler {
  const empty: unknown = Reflect.construct(constructor, [{}]);
  if (!isRecord(empty)) throw new TypeError('not a command of the SDK');
  if (isOfDocument(empty)) empty.addMarshallingMiddleware(config);
  const sent = sentCommand(empty);
  if (!isOfClient(sent)) throw new TypeError('not a command of the SDK');
  return sent.resolveMiddleware(stack, config, undefined);
}

/**
 * Sends commands as the client does, through middleware that all commands of a class share. The SDK joins and sorts the
 * middleware of each single command, unless its setting `cacheMiddleware` is on, which the document client refuses: its
 * commands would keep the input of the first one. Middleware must not be added after the first call.
 */
export function sendThroughSharedMiddleware(client: DynamoDBDocumentClient): (command: SdkCommand) => Promise<object> {
  const { middlewareStack } = client;
  // Three times per call, the middleware copies the configuration. V8 keeps the SDK's own object as a hash table, whose
  // copy takes a hundred times as long as that of this one.
  const config = { ...client.config };
  middlewareStack.use(getSchemaSerdePlugin(config));
  const handlers = new Map<unknown, Handler>();
  return async (command) => {
    const handler = handlers.get(command.constructor) ?? handlerOf(command, middlewareStack, config);
    handlers.set(command.constructor, handler);
    const { output } = await handler(sentCommand(command));
    return output;
  };
}
