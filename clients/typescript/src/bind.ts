import type { Client } from './operation.ts';

/** An operation without its first parameter; of a conditional get both forms. */
export type BoundCall<Call> = Call extends {
  (client: Client, ...parameters: infer First): infer FirstReply;
  (client: Client, ...parameters: infer Second): infer SecondReply;
}
  ? { (...parameters: First): FirstReply; (...parameters: Second): SecondReply }
  : never;

export function bind<Call>(client: Client, call: Call): BoundCall<Call>;
export function bind(client: Client, call: (client: Client, ...parameters: unknown[]) => unknown) {
  return (...parameters: unknown[]) => call(client, ...parameters);
}
