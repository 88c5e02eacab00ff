export { createClient } from './client.ts';
export { InventoryError, ServerLacks } from './error.ts';
export type { Client, Listing } from './operation.ts';
export type { CallOptions, ClientOptions, HttpFetch, HttpReply, HttpRequest, Match, Secret } from './options.ts';
export * from './generated/operations.ts';
export type * from './generated/types.ts';
