import { type Client, createClient, InventoryError } from '../clients/typescript/src/index.ts';

/** For a server that is restarted, or whose rate limit is used up. */
const MAX_ATTEMPTS = 6;

/** The server that INVENTORY_URL names, with the API key in INVENTORY_KEY. */
export function clientFrom({ INVENTORY_URL: url, INVENTORY_KEY: key }: NodeJS.ProcessEnv): Client {
  if (url === undefined || key === undefined)
    throw new Error('Set INVENTORY_URL, such as https://localhost:8443, and INVENTORY_KEY, an API key.');
  return createClient({ url, key, attempts: MAX_ATTEMPTS });
}

/** An error in one line for the person who runs a command. */
export function lineOf(error: unknown): string {
  if (error instanceof InventoryError && error.http > 0) return `${error.operation}: ${error.http} ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
